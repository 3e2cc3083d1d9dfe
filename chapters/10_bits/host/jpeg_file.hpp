// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// A baseline JPEG file but for its coded levels: what stands before them and behind them.
#pragma once

#include <cstdint>
#include <vector>

#include "09_dct_compression/host/compressed_picture.hpp"
#include "huffman_code.hpp"
#include "scan_layout.hpp"

namespace tutorial {

/// The codes of a scan: [0] for brightness (and gray), [1] for the two colors.
struct scan_codes {
  huffman_code dc[2], ac[2];

  friend bool operator==(const scan_codes&, const scan_codes&) = default;
};

/// ITU-T T.81, K.3.
scan_codes standard_codes();

/// A marker is two bytes: 0xFF and one of these (ITU-T T.81, table B.1).
enum class jpeg_marker : std::uint8_t {
  start_of_image = 0xD8,
  end_of_image = 0xD9,
  application_0 = 0xE0,
  quantization_tables = 0xDB,
  baseline_frame = 0xC0,
  huffman_codes = 0xC4,
  restart_interval = 0xDD,
  start_of_scan = 0xDA,
  restart_0 = 0xD0  ///< to 0xD7, one after the other
};

/// What a file needs to know of a picture besides its levels.
struct jpeg_description {
  int width, height, channels;
  chroma_sampling sampling;
  quantization_table steps[3];
};

/// The same of a picture whose levels are there.
jpeg_description description_of(const compressed_picture& picture);

/// All bytes before the coded levels, segment by segment in libjpeg's order: start of image, JFIF,
/// quantization tables, frame, codes, restart interval (where it is not 0), start of scan.
std::vector<std::uint8_t> jpeg_header(const jpeg_description& picture, const scan_codes& codes,
                                      int restart_interval);

}  // namespace tutorial

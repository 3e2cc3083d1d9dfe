// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What a JPEG file says before its coded levels; and its levels, where a device cannot read them, or its
// picture: by libjpeg.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "09_dct_compression/host/quantization.hpp"
#include "common/files/image.hpp"
#include "common/files/input_error.hpp"
#include "huffman_code.hpp"
#include "scan_layout.hpp"

namespace tutorial {

/// Why a file cannot be decoded, in one line.
class jpeg_refused : public input_error {
  using input_error::input_error;
};

/// What the components are: Y, Cb, Cr or R, G, B; or a printer's four colors, as they are or as Y, Cb, Cr and
/// black, which Adobe's programs store inverted.
struct jpeg_colors {
  bool is_ycc, is_printed, is_inverted;
  friend bool operator==(const jpeg_colors&, const jpeg_colors&) = default;
};

/// What a decoder has to know of a file.
struct jpeg_head {
  struct component {
    int width, height;  ///< In samples.
    int across, down;   ///< Pixels of a sample.
    int dc, ac;         ///< Which codes.
    quantization_table steps;
    friend bool operator==(const component&, const component&) = default;
  };
  int width, height;
  jpeg_colors colors;
  std::vector<component> of;
  scan_layout layout;         ///< Of the file's only scan; otherwise only the numbers of blocks are of use.
  std::string why_host;       ///< Why a device cannot read the levels; empty: it can.
  huffman_code dc[4], ac[4];  ///< The codes of the scan, by number.
  std::size_t scan_begin;     ///< Where its coded levels begin.
  int orientation;            ///< EXIF's, 1 to 8.
  friend bool operator==(const jpeg_head&, const jpeg_head&) = default;
};

/// All kinds that libjpeg reads, with one, three or four components. Throws jpeg_refused, with libjpeg's
/// words, for what it does not read.
jpeg_head read_jpeg_head(std::span<const std::uint8_t> file);

/// The levels of each component: 64 of each block, row by row; and the steps, to `head`. Throws jpeg_refused
/// where libjpeg refuses the file or warns: then it makes up levels. Empty where a progressive file lacks
/// scans: libjpeg smooths what it has.
std::vector<std::vector<std::int16_t>> read_levels_on_host(std::span<const std::uint8_t> file,
                                                           jpeg_head& head);

/// The picture that decode_jpeg_on_device() makes, by libjpeg alone. Throws likewise.
image decode_jpeg_on_host(std::span<const std::uint8_t> file);

}  // namespace tutorial

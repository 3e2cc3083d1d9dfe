// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// What a JPEG file says before its coded levels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>

#include "jpeg_file.hpp"
#include "scan_layout.hpp"

namespace tutorial {

/// Why a file cannot be decoded, in one line.
class jpeg_refused : public std::runtime_error {
  using runtime_error::runtime_error;
};

/// A baseline file of one scan.
struct jpeg_head {
  jpeg_description picture;
  scan_layout layout;
  huffman_code dc[2], ac[2];                ///< The codes that the file defines, by number.
  int dc_of[3] = {}, ac_of[3] = {};         ///< Which of them each component has.
  std::size_t scan_begin = 0;               ///< Where the coded levels begin.
  std::span<const std::uint8_t> exif = {};  ///< A part of the file: what a camera says.
};

/// Reads the segments before the scan. Takes what baseline files of this tutorial and of libjpeg are: 8 bits,
/// Huffman codes, gray or Y, Cb, Cr with 4:4:4 or 4:2:0, one scan. Throws jpeg_refused for a file that is
/// damaged, ends too early, or is of another kind: progressive, arithmetic, 12 bits, other colors or
/// samplings, four components.
jpeg_head read_jpeg_head(std::span<const std::uint8_t> file);

/// The coded levels and the end of the image: what is behind it is no part of the picture. Where there is no
/// end, all that follows the head. Throws jpeg_refused where the height stands there.
std::span<const std::uint8_t> scan_of(std::span<const std::uint8_t> file, const jpeg_head& head);

}  // namespace tutorial

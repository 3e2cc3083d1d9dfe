// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Files of every kind that libjpeg writes.
#pragma once

#include <cstdint>
#include <vector>

#include "common/files/image.hpp"

namespace tutorial {

/// What libjpeg is asked for.
struct libjpeg_kind {
  enum colors_of { usual, rgb, cmyk, ycck };

  int quality = 75;
  std::vector<int> sampling = {};  ///< Of each component across and down, as 21; of gray it is left out.
  int restart_interval = 0;
  bool is_optimized = false, is_progressive = false, is_arithmetic = false;
  bool has_scans = false;   ///< One for each component.
  bool is_baseline = true;  ///< Steps of 8 bits.
  colors_of colors = usual;
};

/// cmyk and ycck: what of the picture's three colors is missing to 255, and a black that changes from pixel
/// to pixel.
std::vector<std::uint8_t> file_by_libjpeg(const image& picture, const libjpeg_kind& kind);
/// The four inks of each pixel of such a file.
std::vector<std::uint8_t> inks_by_libjpeg(const std::vector<std::uint8_t>& file);
/// An APP1 segment that says nothing else.
std::vector<std::uint8_t> exif_with_orientation(int orientation);

}  // namespace tutorial

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "scan_layout.hpp"

#include <stdexcept>
#include <string>

#include "09_dct_compression/host/jpeg_output.hpp"
#include "common/device/ceil_div.hpp"

namespace tutorial {

scan_layout scan_layout_of(int width, int height, int channels, chroma_sampling sampling,
                           int restart_interval) {
  if (width < 1 || height < 1 || width > most_jpeg_pixels || height > most_jpeg_pixels)
    throw std::invalid_argument("a picture of " + std::to_string(width) + " x " + std::to_string(height) +
                                " pixels: a JPEG has 1 to " + std::to_string(most_jpeg_pixels) +
                                " in each direction");
  if (channels != 1 && channels != 3)
    throw std::invalid_argument(std::to_string(channels) + " channels: a picture has 1 or 3");
  if (restart_interval < 0 || restart_interval > 65535)
    throw std::invalid_argument("a restart interval of " + std::to_string(restart_interval) +
                                ": it is 0 (none) to 65535");
  const int factor = channels == 3 && sampling == chroma_sampling::s420 ? 2 : 1;  // of Y, against the colors
  scan_layout layout{};
  layout.components = channels;
  layout.units_wide = ceil_div(width, 8 * factor);
  layout.units_high = ceil_div(height, 8 * factor);
  layout.restart_interval = restart_interval;
  for (int c = 0; c < channels; ++c) {
    const int own = c == 0 ? factor : 1;
    const int samples_wide = c > 0 && factor == 2 ? half_as_many(width) : width;
    const int samples_high = c > 0 && factor == 2 ? half_as_many(height) : height;
    const int wide = ceil_div(samples_wide, 8), high = ceil_div(samples_high, 8);
    const bool all_real = wide == own * layout.units_wide && high == own * layout.units_high;
    layout.of[c] = {own, own, wide, high, layout.blocks_in_unit, all_real};
    for (int k = 0; k < own * own; ++k) layout.in_unit[layout.blocks_in_unit++] = {c, k % own, k / own};
  }
  return layout;
}

}  // namespace tutorial

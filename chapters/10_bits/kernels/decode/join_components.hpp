// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Components of any sampling to pixels, as libjpeg makes them by default.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "10_bits/host/jpeg_header.hpp"

namespace tutorial {

/// How a component of fewer samples is brought to the picture's size: each sample again and again, or (twice
/// as many) 3/4 of the nearer one and 1/4 of the other.
struct component_samples {
  const std::uint8_t* samples;  ///< Rows begin at multiples of 8 bytes, and have so many.
  std::int64_t pitch;
  int last_col, last_row;  ///< Behind them nothing is a sample.
  int across, down;        ///< Pixels of a sample.
  bool is_smooth_across, is_smooth_down;
};

/// The components of a picture, and what they are.
struct picture_samples {
  component_samples of[scan_layout::most_components];
  jpeg_colors colors;
  int width, height;
};

/// Pixels R, G, B, in rows of whole 8 pixels; `pitch` is a multiple of 8. `colors` is not gray. Launches, and
/// does not wait. Throws cuda_error.
void join_components(const picture_samples& picture, std::uint8_t* rgb, std::int64_t pitch,
                     cudaStream_t stream = nullptr);

}  // namespace tutorial

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What kernels need to know of a picture's samples.
#pragma once

#include <cstdint>

#include "09_dct_compression/host/block_factors.hpp"
#include "10_bits/host/jpeg_encoder.hpp"

namespace tutorial {

/// Where the samples of the components are, and by what their coefficients are multiplied. By value to
/// kernels.
struct tile_input {
  const std::uint8_t* pixels[3];
  std::int64_t pitch[3];
  int width[3], height[3];
  block_factors factors[3];
};

/// Throws std::invalid_argument for planes that do not fit the description.
tile_input tile_input_of(const jpeg_planes& planes, const jpeg_description& picture);

}  // namespace tutorial

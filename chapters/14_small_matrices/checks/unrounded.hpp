// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What the kernels round to levels, before they round it: for checks of how far it is from the exact value.
#pragma once

#include <cstdint>

#include "09_dct_compression/host/quantization.hpp"
#include "common/device/plane.hpp"

namespace tutorial {

/// coefficient / step of all blocks as the products of small matrices give it, in device code. Width and
/// height are multiples of 8.
plane<float> unrounded_by_products(const plane<std::uint8_t>& pixels, const quantization_table& steps);

/// The same as the float kernel of chapter 09 gives it.
plane<float> unrounded_by_floats(const plane<std::uint8_t>& pixels, const quantization_table& steps);

}  // namespace tutorial

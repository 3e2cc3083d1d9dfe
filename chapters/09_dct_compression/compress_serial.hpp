// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// The codec's reference on the host, in double precision.
#pragma once

#include <cstdint>

#include "common/plane.hpp"
#include "quantization.hpp"

namespace tutorial {

/// Levels of every 8x8 block: pixels - 128, the DCT, coefficient / step rounded to the nearest whole number, halves away
/// from zero. A coefficient exactly halfway is found in whole numbers, so that rounding noise never decides it.
/// padded(width) x padded(height) levels.
plane<std::int16_t> encode_serial(const plane<std::uint8_t>& pixels, const quantization_table& steps);

/// The way back: level * step, the inverse DCT, + 128, rounded to the nearest whole number and clamped to 0..255.
plane<std::uint8_t> decode_serial(const plane<std::int16_t>& levels, const quantization_table& steps,
                                  int width, int height);

}  // namespace tutorial

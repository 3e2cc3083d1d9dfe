// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The codec's reference on the host, in double precision, and exact where a value lies halfway between two.
#pragma once

#include <cstdint>

#include "common/device/plane.hpp"
#include "common/files/image.hpp"
#include "compressed_picture.hpp"
#include "quantization.hpp"

namespace tutorial {

/// Levels of every 8x8 block: pixels - 128, the DCT, coefficient / step rounded to the nearest whole number,
/// halves away from zero. A coefficient exactly halfway is found in whole numbers, so that rounding noise
/// never decides it. (It still would where one is not halfway, but nearer than 1e-9.) padded(width) x
/// padded(height) levels.
plane<std::int16_t> encode_serial(const plane<std::uint8_t>& pixels, const quantization_table& steps);

/// The way back: level * step, the inverse DCT, + 128, rounded to the nearest whole number and clamped to
/// 0..255. Halves, which are frequent where only the DC is left, are found in whole numbers and go up.
plane<std::uint8_t> decode_serial(const plane<std::int16_t>& levels, const quantization_table& steps,
                                  int width, int height);

/// What encode_serial() rounds: coefficient / step, and exactly m + 1/2 where that is what it is. For a check
/// that has to know how near a value is to the place where rounding turns.
plane<double> unrounded_levels(const plane<std::uint8_t>& pixels, const quantization_table& steps);

/// What decode_serial() rounds and clamps; exactly m + 1/2 where that is what it is.
plane<double> unrounded_pixels(const plane<std::int16_t>& levels, const quantization_table& steps, int width,
                               int height);

/// The whole picture, colors and all. quality is 1..100; `sampling` is of no account for a gray picture,
/// which comes out as s444.
compressed_picture compress_serial(const image& picture, int quality, chroma_sampling sampling);
/// The picture that the levels stand for: decode_serial() of each component, and the colors joined.
image reconstruct_serial(const compressed_picture& picture);

}  // namespace tutorial

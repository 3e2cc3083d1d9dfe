// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Red, green and blue as one plane of brightness and two of color, and back.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "common/device/plane.hpp"
#include "common/files/image.hpp"
#include "compressed_picture.hpp"

namespace tutorial {

/// JFIF's colors, full range, with ITU-R BT.601's weights:
///     Y  =  0.299 R + 0.587 G + 0.114 B
///     Cb = -0.168736 R - 0.331264 G + 0.5 B + 128,   Cr = 0.5 R - 0.418688 G - 0.081312 B + 128
/// The factors are whole multiples of 2^-16, and Y is rounded to the nearest whole number, Cb and Cr too,
/// with halves down: a device that calculates in int gets the same bits.
std::array<std::uint8_t, 3> ycbcr_of_rgb(std::uint8_t red, std::uint8_t green, std::uint8_t blue);

/// The way back, clamped to 0..255:
///     R = Y + 1.402 (Cr - 128)
///     G = Y - 0.344136 (Cb - 128) - 0.714136 (Cr - 128)
///     B = Y + 1.772 (Cb - 128)
/// each product rounded to a whole number before it is added to Y (for G, the sum of the two).
std::array<std::uint8_t, 3> rgb_of_ycbcr(std::uint8_t y, std::uint8_t cb, std::uint8_t cr);

/// Half as many samples each way, rounded up, each the mean of four: (a + b + c + d + bias) / 4 with a bias
/// of 1 in even columns and 2 in odd ones, so that rounding neither lightens nor darkens. Beyond the last
/// column and row they repeat.
plane<std::uint8_t> halved(const plane<std::uint8_t>& samples);

/// The planes that are compressed: the picture itself if it is gray, or Y, Cb, Cr, the last two halved for
/// 4:2:0.
std::vector<plane<std::uint8_t>> split(const image& picture, chroma_sampling sampling);

/// The way back to a picture of width x height; for 4:2:0 each sample of Cb and Cr belongs to four pixels,
/// fewer at the right and lower edge of an odd size. Throws std::invalid_argument for planes that split()
/// does not make.
image joined(const std::vector<plane<std::uint8_t>>& planes, int width, int height, chroma_sampling sampling);

}  // namespace tutorial

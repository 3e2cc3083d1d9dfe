// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Coefficients that lie exactly halfway between two levels, decided in whole numbers.
#pragma once

#include <array>
#include <cstdint>

#include "09_dct_compression/host/quantization.hpp"

namespace tutorial {

/// An 8x8 block of whole numbers, value[8 * row + col].
using whole_block = std::array<std::int32_t, 64>;

/// A sum of cosines with whole factors, one and only one for each value:
///     value = (n[0] + n[1] cos(pi/16) + n[2] cos(2 pi/16) + ... + n[7] cos(7 pi/16)) / 8
/// A product of two cosines is half the sum of two, so every coefficient of whole numbers is such a sum, and
/// so is every pixel of whole coefficients. 1, cos(pi/16), ..., cos(7 pi/16) are linearly independent over
/// the rational numbers (cos(pi/16) is a root of an irreducible polynomial of degree 8): the value is
/// rational only if n[1] to n[7] are 0.
using cosine_sum = std::array<std::int64_t, 8>;

/// The coefficient (v, u) of these pixels, the level shift already made.
cosine_sum exact_coefficient(const whole_block& pixels, int v, int u);
/// The pixel (y, x), not yet shifted back, of these coefficients.
cosine_sum exact_pixel(const whole_block& coefficients, int y, int x);

/// In double precision.
double value_of(const cosine_sum& sum);

/// value == (m + 1/2) step for a whole m: exactly halfway between the levels m and m + 1.
bool is_tie(const cosine_sum& value, int step);

/// Is one of the 64 coefficients a tie? step[8 * v + u].
bool has_tie(const whole_block& pixels, const quantization_table& steps);

}  // namespace tutorial

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// Coefficients that lie exactly halfway between two levels, decided in whole numbers.
#pragma once

#include <array>
#include <cstdint>

#include "quantization.hpp"

namespace tutorial {

/// An 8x8 block of whole numbers, value[8 * row + col].
using whole_block = std::array<std::int32_t, 64>;

/// A sum of cosines with whole factors, one and only one for each value:
///     value = (n[0] + n[1] cos(pi/16) + n[2] cos(2 pi/16) + ... + n[7] cos(7 pi/16)) / 8
/// A product of two cosines is half the sum of two, so every coefficient of whole numbers is such a sum, and so is
/// every pixel of whole coefficients. 1, cos(pi/16), ..., cos(7 pi/16) are linearly independent over the rational
/// numbers (cos(pi/16) is a root of an irreducible polynomial of degree 8): the value is rational only if n[1] to
/// n[7] are 0.
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

/// A block with a tie over which programs that are all correct disagree.
struct tie_example {
  std::array<std::uint8_t, 64> pixels = {};
  int v = 0, u = 0;  ///< The coefficient.
  int step = 1;
  cosine_sum exact = {};
  std::int64_t twice_the_ratio = 0;  ///< 2 * coefficient / step, odd.
  int level = 0;                     ///< The definition's: halves away from zero.

  /// One way of calculating it: the order and precision of the operations, coefficient / step as it comes out (every
  /// digit), and the level.
  struct way {
    const char* name = "";
    double ratio = 0;
    int level = 0;
  };
  std::array<way, 4> ways = {};
};

/// The first block of random pixels of `seed` with such a tie, by a search. Throws std::runtime_error if 1,000,000
/// blocks have none.
tie_example find_tie(const quantization_table& steps, std::uint64_t seed = 1);

}  // namespace tutorial

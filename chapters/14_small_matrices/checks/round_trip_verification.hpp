// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Checks that the pixels of a round trip by products of small matrices are right, within a derived bound.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "09_dct_compression/host/quantization.hpp"
#include "common/device/plane.hpp"
#include "common/verify/compare.hpp"

namespace tutorial {

/// The quantization table that most checks use.
inline quantization_table luminance(int quality) { return table_for(component_kind::luminance, quality); }

/// For each coefficient: how far the value that is rounded to a level may be from coefficient / step, for
/// 8-bit pixels.
///   Split matrices: sum |folded pixel| |matrix - high - low|.
///   Sums: a tensor core multiplies exactly, and adds 16 products and the previous sum with an error of at
///   most 17 units in the last place of the largest of them (2^-23 of it), and rounds the result once more.
///   There are two such additions, one with `low` and one with `high`.
/// Scaling by powers of two is exact.
std::array<double, 64> product_level_bounds(const quantization_table& steps);

/// The same for the 64 pixels of a block with these levels; the four parts are then added in float, with
/// three roundings of 2^-24 of the sum.
std::array<double, 64> product_pixel_bounds(std::span<const std::int16_t, 64> levels,
                                            const quantization_table& steps);

/// How far the values that are rounded to levels are from coefficient / step.
struct level_errors {
  double root_mean_square = 0, worst = 0;
  double worst_of_bound = 0;  ///< The largest of error / bound.
};
/// Of all levels of a plane: coefficient / step as it was computed, and its exact value. `bounds` are those
/// of the coefficients.
level_errors errors_of(const plane<float>& ratios, const plane<double>& exact,
                       const std::array<double, 64>& bounds);

struct round_trip_agreement {
  agreement found;            ///< Errors: |pixel - its value before rounding|; bounds: 1/2 + the bound above.
  std::size_t ties = 0;       ///< Levels so near to halfway that either neighbor is right.
  std::size_t differing = 0;  ///< Pixels that differ from the reference: right, but by another choice.
  /// Whether all pixels are right.
  explicit operator bool() const { return bool(found); }
};

/// Block by block: the levels are those of the reference, except that a level nearer to halfway than its
/// bound may go either way; the pixels must be within their bounds for one of these choices. Throws
/// std::invalid_argument if the sizes differ, or where a block has more than 10 such levels.
round_trip_agreement verify_round_trip(const plane<std::uint8_t>& pixels, const quantization_table& steps,
                                       const plane<std::uint8_t>& result);

}  // namespace tutorial

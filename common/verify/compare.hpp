// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Is a result right? The answer is data that a check, a table and a message can all use.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "in_parts.hpp"

namespace tutorial {

/// The outcome of one comparison.
struct agreement {
  std::size_t size = 0;         ///< Elements compared.
  std::size_t mismatches = 0;   ///< Elements further from the expected one than their bound; NaN always is.
  std::size_t first_index = 0;  ///< The first mismatch, if there is one.
  std::size_t worst_index = 0;  ///< Where error / bound is largest.
  double worst_error = 0;       ///< |actual - expected| there; infinity for a NaN or a wrong infinity.
  double worst_bound = 0;       ///< The bound there.
  double worst_actual = 0, worst_expected = 0;
  /// "0xA5A5A5A5" where the worst element still is what integers are filled with before a run; else empty.
  std::string_view poison = {};
  /// The well-known mistake that all elements together look like, as a sentence; empty where there is none.
  std::string_view looks_like = {};
  /// Whether no element was further off than its bound.
  explicit operator bool() const { return mismatches == 0; }
};

/// What to do with an element whose expected value is NaN or infinite.
enum class non_finite {
  is_a_mismatch,  ///< NaN never passes. What every check uses.
  must_agree      ///< NaN agrees with NaN, an infinity with the same one: a reader's own data may hold them.
};

/// Compares element by element: |actual[i] - expected[i]| <= bound[i] + each.
/// `bound` is empty (all zero: exact, where `each` is zero too) or has as many elements as the others.
/// Throws std::invalid_argument if lengths differ.
template <class T>
agreement compare(std::span<const T> actual, std::span<const T> expected, std::span<const double> bound = {},
                  non_finite rule = non_finite::is_a_mismatch, double each = 0);

/// The same for vectors.
template <class T>
agreement compare(const std::vector<T>& actual, const std::vector<T>& expected,
                  const std::vector<double>& bound = {}, non_finite rule = non_finite::is_a_mismatch,
                  double each = 0) {
  return compare<T>(std::span<const T>(actual), std::span<const T>(expected), std::span<const double>(bound),
                    rule, each);
}

extern template agreement compare<std::int32_t>(std::span<const std::int32_t>, std::span<const std::int32_t>,
                                                std::span<const double>, non_finite, double);
extern template agreement compare<std::int16_t>(std::span<const std::int16_t>, std::span<const std::int16_t>,
                                                std::span<const double>, non_finite, double);
extern template agreement compare<std::uint8_t>(std::span<const std::uint8_t>, std::span<const std::uint8_t>,
                                                std::span<const double>, non_finite, double);
extern template agreement compare<float>(std::span<const float>, std::span<const float>,
                                         std::span<const double>, non_finite, double);
extern template agreement compare<double>(std::span<const double>, std::span<const double>,
                                          std::span<const double>, non_finite, double);

/// How far a version's outputs may be from the exact ones where it does not add up products.
struct rounding_allowance {
  double each = 0;                                       ///< For one output.
  double all = std::numeric_limits<double>::infinity();  ///< For the Euclidean norm of all of them.
};

/// For a result whose errors are known as a whole: each may be `each` further from the expected one than its
/// bound, and the Euclidean norm of all errors, of those where both are finite, at most `all` beyond the norm
/// of the bounds. Where only the norm is too large, that is one mismatch, with the norms as worst_error and
/// worst_bound.
template <class T>
agreement compare_as_a_whole(const std::vector<T>& actual, const std::vector<T>& expected,
                             const std::vector<double>& bound, double each, double all,
                             non_finite rule = non_finite::is_a_mismatch) {
  agreement result = compare<T>(actual, expected, bound, rule, each);
  if (!result) return result;
  const double bounds = sum_in_parts(bound.size(), [&](std::size_t i) { return bound[i] * bound[i]; });
  const double errors = sum_in_parts(expected.size(), [&](std::size_t i) {
    const double error = double(actual[i]) - double(expected[i]);
    return std::isfinite(error) ? error * error : 0;
  });
  const double allowed = all + std::sqrt(bounds);
  if (std::sqrt(errors) <= allowed) return result;
  result.mismatches = 1;
  result.first_index = result.worst_index;
  result.worst_error = std::sqrt(errors);
  result.worst_bound = allowed;
  return result;
}

/// One line: "error 1.1e-16 <= 5.6e-16", "exact", or for a mismatch how many, the first index, got and
/// expected, and where a bound was given how far off that is and how far is allowed. Behind a NaN, or the
/// poison of integers, stands the question where it comes from; outputs are filled with them beforehand. The
/// question that is asked where none is given says so, too.
std::string describe(const agreement& result, std::string_view whence_nan = "");

/// For describe(), where what is compared was copied: how it looks where a copy is given the number of
/// elements, each of `bytes`, as its size. Then the first ones of all elements are right, and what was there
/// before is behind them. Empty where it does not look so.
std::string bytes_forgotten(const agreement& result, std::size_t bytes);

/// The bound for two dot products of K terms, each rounded in any order, with or without FMA:
///   K * eps * sum |h[k]| |x[n-k]|,   eps = 2^-23 (float) or 2^-52 (double).
/// One such sum is within K * (eps / 2) of the exact one to first order (N. J. Higham, Accuracy and Stability
/// of Numerical Algorithms, section 3.1), and here two are compared. `absolute_sums[n]` is sum |h[k]|
/// |x[n-k]|. int32 is exact: the result is empty.
template <class T>
std::vector<double> dot_product_bound(std::size_t taps, std::span<const T> absolute_sums) {
  if constexpr (std::numeric_limits<T>::is_integer) return {};
  std::vector<double> bound(absolute_sums.size());
  // The absolute sums are rounded too: one eps per tap covers that.
  const double factor = double(taps) * std::numeric_limits<T>::epsilon() *
                        (1 + double(taps) * std::numeric_limits<T>::epsilon());
  in_parts(bound.size(), [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      bound[i] = factor * double(absolute_sums[i]) + std::numeric_limits<T>::denorm_min() * double(taps);
  });
  return bound;
}

}  // namespace tutorial

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "fft_rounding.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tutorial {
namespace {

template <class T>
double square_sum(std::span<const T> values) {
  double sum = 0;
  for (const T value : values) sum += double(value) * double(value);
  return sum;
}

/// The largest norm of `window` neighboring values.
template <class T>
double window_norm(std::span<const T> values, std::size_t window) {
  if (window >= values.size()) return std::sqrt(square_sum(values));
  double sum = 0, most = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    sum += double(values[i]) * double(values[i]);
    if (i >= window) sum -= double(values[i - window]) * double(values[i - window]);
    most = std::max(most, sum);
  }
  return std::sqrt(most);
}

}  // namespace

template <class T>
double transform_error(std::size_t length) {
  const double u = double(std::numeric_limits<T>::epsilon()) / 2;
  double error = 0;
  for (; length % 2 == 0; length /= 2) error += u + 4 * std::sqrt(2.0) * u;
  for (const std::size_t p : {3, 5, 7})
    for (; length % p == 0; length /= p) error += u + std::sqrt(2.0 * double(p)) * double(p + 2) * u;
  return length == 1 ? error : std::numeric_limits<double>::infinity();
}

template <class T>
rounding_allowance fft_rounding(std::span<const T> x, std::span<const T> h, std::span<const T> expected,
                                std::size_t block, bool one_block) {
  const double u = double(std::numeric_limits<T>::epsilon()) / 2, e = transform_error<T>(block);
  const double x_norm = window_norm(x, one_block ? x.size() : block), h_norm = std::sqrt(square_sum(h));
  double h_sum = 0;
  for (const T tap : h) h_sum += std::abs(double(tap));
  // What the mode leaves out of a block's y is not in `expected`: each such output is at most |x| |h| of its
  // samples.
  const std::size_t full = x.size() + h.size() - 1;
  const double left_out = expected.empty() ? double(full) : double(full - expected.size());
  double y_norm = h_sum * x_norm;
  if (one_block && !expected.empty())
    y_norm = std::min(
        y_norm, std::sqrt(square_sum(expected) + left_out * std::pow(h_norm * window_norm(x, h.size()), 2)));
  const double smallest = double(std::numeric_limits<T>::denorm_min()) * double(block);
  // A block gives at least so many outputs: overlap_save_convolver.
  constexpr double alignment = 32 / sizeof(T);
  const double step =
      std::max(1.0, std::floor((double(block) - double(h.size()) - alignment + 2) / alignment)) * alignment;
  const double blocks = one_block ? 1 : std::ceil(double(full) / step);
  return {(2 * e + 4 * u) * x_norm * h_norm + e * y_norm + smallest,
          std::sqrt(blocks) * ((3 * e + 4 * u) * x_norm * h_sum + smallest)};
}

template double transform_error<float>(std::size_t);
template double transform_error<double>(std::size_t);
template rounding_allowance fft_rounding<float>(std::span<const float>, std::span<const float>,
                                                std::span<const float>, std::size_t, bool);
template rounding_allowance fft_rounding<double>(std::span<const double>, std::span<const double>,
                                                 std::span<const double>, std::size_t, bool);

}  // namespace tutorial

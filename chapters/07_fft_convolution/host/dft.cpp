// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "dft.hpp"

#include <cstddef>
#include <numbers>
#include <stdexcept>

namespace tutorial {
namespace {

using complex = std::complex<double>;

/// The root of unity exp(sign 2 pi i power / L). The angle is made small first: its error is that of one
/// rounding.
complex root(std::size_t power, std::size_t length, int sign) {
  return std::polar(1.0, sign * 2 * std::numbers::pi * double(power % length) / double(length));
}

// [definition]
std::vector<complex> sums(const std::vector<complex>& x, int sign) {
  const std::size_t length = x.size();
  std::vector<complex> result(length);
  for (std::size_t k = 0; k < length; ++k)
    for (std::size_t n = 0; n < length; ++n) result[k] += x[n] * root(k * n, length, sign);
  return result;
}
// [definition]

std::vector<complex> padded(const std::vector<double>& values, std::size_t length) {
  std::vector<complex> result(values.begin(), values.end());
  result.resize(length);
  return result;
}

}  // namespace

std::vector<complex> dft(const std::vector<complex>& x) { return sums(x, -1); }

std::vector<complex> inverse_dft(const std::vector<complex>& spectrum) {
  std::vector<complex> x = sums(spectrum, 1);
  for (complex& value : x) value /= double(x.size());
  return x;
}

std::vector<double> circular_convolution(const std::vector<double>& x, const std::vector<double>& h) {
  const std::size_t length = x.size();
  if (h.size() > length)
    throw std::invalid_argument("a circular convolution needs at least as many samples as taps");
  std::vector<double> y(length);
  for (std::size_t n = 0; n < length; ++n)
    for (std::size_t k = 0; k < h.size(); ++k) y[n] += h[k] * x[(n + length - k) % length];
  return y;
}

std::vector<double> circular_convolution_by_dft(const std::vector<double>& x, const std::vector<double>& h) {
  if (h.size() > x.size())
    throw std::invalid_argument("a circular convolution needs at least as many samples as taps");
  std::vector<complex> product = dft(padded(x, x.size()));
  const std::vector<complex> filter = dft(padded(h, x.size()));
  for (std::size_t k = 0; k < product.size(); ++k) product[k] *= filter[k];
  std::vector<double> y;
  for (const complex& value : inverse_dft(product)) y.push_back(value.real());
  return y;
}

}  // namespace tutorial

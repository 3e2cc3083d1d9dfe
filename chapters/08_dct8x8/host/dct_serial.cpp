// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "dct_serial.hpp"

#include <cmath>
#include <numbers>

#include "block_products.hpp"

namespace tutorial {

const dct_matrix_t& dct_matrix() {
  static const dct_matrix_t matrix = [] {
    dct_matrix_t a{};
    for (int u = 0; u < 8; ++u)
      for (int x = 0; x < 8; ++x)
        a[u][x] = (u == 0 ? std::sqrt(0.125) : 0.5) * std::cos((2 * x + 1) * u * std::numbers::pi / 16);
    return a;
  }();
  return matrix;
}

// [definition]
plane<double> dct8x8_definition(const plane<float>& pixels) {
  const dct_matrix_t& a = dct_matrix();
  plane<double> coefficients(padded(pixels.width), padded(pixels.height));
  for (int row = 0; row < coefficients.height; ++row)
    for (int col = 0; col < coefficients.width; ++col) {
      const int v = row % 8, u = col % 8;  // the block begins at (row - v, col - u)
      double sum = 0;
      for (int y = 0; y < 8; ++y)
        for (int x = 0; x < 8; ++x)
          sum += a[v][y] * a[u][x] *
                 pixels.at(std::min(row - v + y, pixels.height - 1), std::min(col - u + x, pixels.width - 1));
      coefficients.at(row, col) = sum;
    }
  return coefficients;
}
// [definition]

plane<double> idct8x8_definition(const plane<float>& coefficients, int width, int height) {
  detail::require_padded(width, height, coefficients.width, coefficients.height);
  const dct_matrix_t& a = dct_matrix();
  plane<double> pixels(width, height);
  for (int row = 0; row < height; ++row)
    for (int col = 0; col < width; ++col) {
      const int y = row % 8, x = col % 8;
      double sum = 0;
      for (int v = 0; v < 8; ++v)
        for (int u = 0; u < 8; ++u) sum += a[v][y] * a[u][x] * coefficients.at(row - y + v, col - x + u);
      pixels.at(row, col) = sum;
    }
  return pixels;
}

// [matrix]
plane<double> dct8x8_matrix(const plane<float>& pixels) {
  const detail::block<double>& a = dct_matrix();
  const detail::block<double> a_transposed = detail::transposed(a);
  plane<double> coefficients(padded(pixels.width), padded(pixels.height));
  for (int row = 0; row < coefficients.height; row += 8)
    for (int col = 0; col < coefficients.width; col += 8) {
      const auto x = detail::take_block<double>(pixels, row, col);
      detail::put_block(detail::product(detail::product(a, x), a_transposed), coefficients, row, col);
    }
  return coefficients;
}
// [matrix]

plane<double> idct8x8_matrix(const plane<float>& coefficients, int width, int height) {
  detail::require_padded(width, height, coefficients.width, coefficients.height);
  const detail::block<double>& a = dct_matrix();
  const detail::block<double> a_transposed = detail::transposed(a);
  plane<double> pixels(width, height);
  for (int row = 0; row < height; row += 8)
    for (int col = 0; col < width; col += 8) {
      const auto c = detail::take_block<double>(coefficients, row, col);
      detail::put_block(detail::product(detail::product(a_transposed, c), a), pixels, row, col);
    }
  return pixels;
}

}  // namespace tutorial

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "keep_a_corner.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "08_dct8x8/host/dct_serial.hpp"
#include "common/files/numbers.hpp"
#include "common/verify/compare.hpp"
#include "common/verify/counted_check.hpp"
#include "common/verify/inputs.hpp"
#include "common/verify/work_spread.hpp"

using namespace tutorial;

namespace {

// A row or a column of |A| adds up to sqrt(8) at most: an intermediate value is 8 max|x| at most, and the
// result 8 times that. Four sums of eight products, with 9 roundings each, A's elements included, and one of
// the coefficients here; every one is at most 2^-24: to first order 37 * 2^-24 * 64 max|x|.
constexpr double rounding = 37 * 64.0 / (1 << 24);

plane<float> kept_coefficients(const plane<float>& x, int corner) {
  const plane<double> all = dct8x8_matrix(x);
  plane<float> kept(all.width, all.height);
  for (int row = 0; row < all.height; ++row)
    for (int col = 0; col < all.width; ++col)
      if (row % 8 + col % 8 < corner) kept.at(row, col) = float(all.at(row, col));
  return kept;
}

dct_matrix_t transposed(const dct_matrix_t& a) {
  dct_matrix_t result{};
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j) result[i][j] = a[j][i];
  return result;
}

dct_matrix_t product(const dct_matrix_t& p, const dct_matrix_t& q) {
  dct_matrix_t result{};
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j)
      for (int k = 0; k < 8; ++k) result[i][j] += p[i][k] * q[k][j];
  return result;
}

/// left C' right for every 8x8 block.
plane<double> products(const dct_matrix_t& left, const plane<float>& kept, const dct_matrix_t& right,
                       int width, int height) {
  plane<double> y(width, height);
  for (int row = 0; row < height; row += 8)
    for (int col = 0; col < width; col += 8) {
      dct_matrix_t c{};
      for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 8; ++j) c[i][j] = kept.at(row + i, col + j);
      c = product(product(left, c), right);
      for (int i = 0; i < std::min(8, height - row); ++i)
        for (int j = 0; j < std::min(8, width - col); ++j) y.at(row + i, col + j) = c[i][j];
    }
  return y;
}

/// A sentence about y where it is the result of a common mistake; "" otherwise.
std::string what_it_is(const std::vector<double>& y, const plane<float>& x, int corner, double tolerance) {
  const dct_matrix_t a = dct_matrix(), a_transposed = transposed(a);
  const plane<float> kept = kept_coefficients(x, corner), all = kept_coefficients(x, 15);
  const auto is = [&](const plane<double>& other) {
    for (std::size_t i = 0; i < y.size(); ++i)
      if (!(std::abs(y[i] - other.values[i]) <= tolerance)) return false;
    return true;
  };
  const auto back = [&](const dct_matrix_t& left, const plane<float>& c, const dct_matrix_t& right) {
    return is(products(left, c, right, x.width, x.height));
  };
  if (back(a_transposed, kept, a)) return "";
  if (back(a, kept, a_transposed)) return "these are the pixels A C' A^T: on the way back it is A^T C' A. ";
  if (back(a, kept, a)) return "these are the pixels A C' A: on the way back it is A^T C' A. ";
  if (back(a_transposed, kept, a_transposed))
    return "these are the pixels A^T C' A^T: on the way back it is A^T C' A. ";
  if (back(a_transposed, all, a)) return "these are the pixels with all coefficients kept. ";
  return "";
}

struct result {
  agreement found;
  std::string diagnosis;
};

result kept_right(const plane<float>& x, int corner, double largest) {
  const device_plane<float> d_x(x);
  device_plane<float> d_y(x.width, x.height);
  keep_a_corner(d_x, corner, d_y);
  check(cudaDeviceSynchronize());
  const std::vector<float> pixels = d_y.to_host().values;
  const std::vector<double> y(pixels.begin(), pixels.end());
  return {compare<double>(y, idct8x8_matrix(kept_coefficients(x, corner), x.width, x.height).values,
                          std::vector<double>(y.size(), rounding * largest)),
          what_it_is(y, x, corner, rounding * largest)};
}

}  // namespace

TEST_CASE("a corner of every size, in pictures of every size") {
  for (const auto& [w, h] : {std::pair(16, 8), {1, 1}, {7, 9}, {24, 16}, {33, 18}})
    for (const int corner : {15, 1, 2, 5, 8, 14}) {
      const int width = w, height = h;  // names that a lambda may use
      const plane<float> x{width, height,
                           random_whole_numbers<float>(std::size_t(width) * std::size_t(height), 1, 127)};
      const result kept = kept_right(x, corner, 127);
      REQUIRE_MESSAGE(bool(kept.found), width, " x ", height, " pixels, u + v < ", corner, ": ",
                      kept.diagnosis, describe(kept.found));
    }
}

TEST_CASE("DC alone is the mean of each block") {
  plane<float> x(16, 8);
  for (int row = 0; row < 8; ++row)
    for (int col = 0; col < 16; ++col)
      x.at(row, col) = float(col < 8 ? row : 100 + 2 * col);  // means 3.5 and 123
  const device_plane<float> d_x(x);
  device_plane<float> d_y(16, 8);
  keep_a_corner(d_x, 1, d_y);
  const plane<float> y = d_y.to_host();
  for (int row = 0; row < 8; ++row)
    for (int col = 0; col < 16; ++col)
      REQUIRE_MESSAGE(y.at(row, col) == doctest::Approx(col < 8 ? 3.5 : 123).epsilon(1e-5),
                      "corner 1: pixel (row ", row, ", column ", col, ") should be the mean of its block, ",
                      col < 8 ? 3.5 : 123, ", and is ", y.at(row, col));
}

TEST_CASE("a wave down the rows and a wave along them are not taken for each other") {
  plane<float> down(8, 8), along(8, 8);
  for (int row = 0; row < 8; ++row)
    for (int col = 0; col < 8; ++col) {
      down.at(row, col) = float(row);
      along.at(row, col) = float(col * col);
    }
  for (const int corner : {2, 4, 8}) {
    CHECK_MESSAGE(bool(kept_right(down, corner, 7).found), "pixel = row, u + v < ", corner);
    CHECK_MESSAGE(bool(kept_right(along, corner, 49).found), "pixel = col * col, u + v < ", corner);
  }
}

TEST_CASE("one launch, and each pixel is loaded once") {
  const device_plane<float> x(plane<float>(64, 64, 1.0f));
  device_plane<float> y(64, 64);
  const auto launches = count_launches([&] { keep_a_corner(x, 5, y); });
  if (!has_counts(launches)) return;
  REQUIRE_MESSAGE(launches.size() == 1, launches.size(), " launches, 1 is enough");
  require_work_spread(launches, 64 * 64, 8);
  REQUIRE_MESSAGE(launches[0].global_loads == 64 * 64, several(launches[0].global_loads, "load"), " for ",
                  64 * 64, " pixels: load each once");
}

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "keep_a_corner.hpp"

#include <doctest/doctest.h>

#include "08_dct8x8/host/dct_serial.hpp"
#include "common/verify/compare.hpp"
#include "common/verify/inputs.hpp"

using namespace tutorial;

namespace {

// A row or a column of |A| adds up to sqrt(8) at most: an intermediate value is 8 max|x| at most, and the
// result 8 times that. Four sums of eight products, with 9 roundings each, A's elements included, and one of
// the coefficients here; every one is at most 2^-24: to first order 37 * 2^-24 * 64 max|x|.
constexpr double rounding = 37 * 64.0 / (1 << 24);

plane<double> corner_kept(const plane<float>& x, int corner) {
  const plane<double> all = dct8x8_matrix(x);
  plane<float> kept(all.width, all.height);
  for (int row = 0; row < all.height; ++row)
    for (int col = 0; col < all.width; ++col)
      if (row % 8 + col % 8 < corner) kept.at(row, col) = float(all.at(row, col));
  return idct8x8_matrix(kept, x.width, x.height);
}

agreement kept_right(const plane<float>& x, int corner, double largest) {
  const device_plane<float> d_x(x);
  device_plane<float> d_y(x.width, x.height);
  keep_a_corner(d_x, corner, d_y);
  check(cudaDeviceSynchronize());
  const std::vector<float> y = d_y.to_host().values;
  return compare<double>(std::vector<double>(y.begin(), y.end()), corner_kept(x, corner).values,
                         std::vector<double>(y.size(), rounding * largest));
}

}  // namespace

TEST_CASE("a corner of every size, in pictures of every size") {
  for (const auto& [w, h] : {std::pair(16, 8), {1, 1}, {7, 9}, {24, 16}, {33, 18}})
    for (const int corner : {15, 1, 2, 5, 8, 14}) {
      const int width = w, height = h;  // names that a lambda may use
      const plane<float> x{width, height,
                           random_whole_numbers<float>(std::size_t(width) * std::size_t(height), 1, 127)};
      const agreement result = kept_right(x, corner, 127);
      REQUIRE_MESSAGE(bool(result), width, " x ", height, " pixels, u + v < ", corner, ": ",
                      describe(result));
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
      REQUIRE(y.at(row, col) == doctest::Approx(col < 8 ? 3.5 : 123).epsilon(1e-5));
}

TEST_CASE("a wave down the rows and a wave along them are not taken for each other") {
  plane<float> down(8, 8), along(8, 8);
  for (int row = 0; row < 8; ++row)
    for (int col = 0; col < 8; ++col) {
      down.at(row, col) = float(row);
      along.at(row, col) = float(col * col);
    }
  for (const int corner : {2, 4, 8}) {
    CHECK_MESSAGE(bool(kept_right(down, corner, 7)), "pixel = row, u + v < ", corner);
    CHECK_MESSAGE(bool(kept_right(along, corner, 49)), "pixel = col * col, u + v < ", corner);
  }
}

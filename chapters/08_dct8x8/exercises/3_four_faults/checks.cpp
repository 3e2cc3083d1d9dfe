// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "four_faults.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <string>

#include "08_dct8x8/checks/dct_verification.hpp"
#include "08_dct8x8/host/dct_serial.hpp"
#include "common/files/numbers.hpp"
#include "common/verify/compare.hpp"
#include "common/verify/counted_check.hpp"
#include "common/verify/inputs.hpp"
#include "common/verify/work_spread.hpp"

using namespace tutorial;

namespace {

agreement transformed_right(const plane<float>& x) {
  const device_plane<float> d_x(x);
  device_plane<float> d_c(padded(x.width), padded(x.height));
  dct_four_faults(d_x, d_c);
  check(cudaDeviceSynchronize());
  return verify_dct8x8(x, d_c.to_host());
}

/// Of an 8x8 block whose coefficients are not right: the first wrong one, and whether all are A X A.
std::string first_wrong(const agreement& result, const plane<float>& x) {
  if (result) return "";
  const device_plane<float> d_x(x);
  device_plane<float> d_c(8, 8);
  dct_four_faults(d_x, d_c);
  const plane<float> c = d_c.to_host();
  bool without_transpose = true;
  for (int v = 0; v < 8; ++v)
    for (int u = 0; u < 8; ++u) {
      double value = 0;
      for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 8; ++j)
          value += dct_matrix()[std::size_t(v)][std::size_t(i)] * double(x.at(i, j)) *
                   dct_matrix()[std::size_t(j)][std::size_t(u)];
      without_transpose = without_transpose && std::abs(value - double(c.at(v, u))) < 1e-3;
    }
  return describe(result) + (without_transpose ? ". The result is A X A, and should be A X A^T" : "");
}

}  // namespace

TEST_CASE("a wave down the rows has its coefficients in the first column") {
  plane<float> x(8, 8);
  for (int row = 0; row < 8; ++row)
    for (int col = 0; col < 8; ++col) x.at(row, col) = float(row);
  const agreement result = transformed_right(x);
  CHECK_MESSAGE(bool(result), "8 x 8 pixels, all of row r are r, index 8 v + u of coefficient (v, u): ",
                first_wrong(result, x));
}

TEST_CASE("the coefficients are those of the definition, for pictures of every size") {
  for (const auto& [w, h] : {std::pair(128, 8), {128, 16}, {40, 24}, {1, 1}, {7, 9}, {33, 18}, {100, 50}}) {
    const int width = w, height = h;  // names that a lambda may use
    const plane<float> x{width, height,
                         random_whole_numbers<float>(std::size_t(width) * std::size_t(height), 1, 127)};
    const agreement result = transformed_right(x);
    REQUIRE_MESSAGE(bool(result), width, " x ", height, " pixels, index row * ", padded(width),
                    " + col: ", describe(result));
  }
}

TEST_CASE("each pixel is loaded once") {
  const device_plane<float> pixels(plane<float>(64, 64, 1.0f));
  device_plane<float> coefficients(64, 64);
  const auto launches = count_launches([&] { dct_four_faults(pixels, coefficients); });
  if (!has_counts(launches)) return;
  require_work_spread(launches, 64 * 64, 8);
  REQUIRE_MESSAGE(sum(launches).global_loads == 64 * 64, several(sum(launches).global_loads, "load"), " for ",
                  64 * 64, " pixels: load each once");
}

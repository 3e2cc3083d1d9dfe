// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "four_faults.hpp"

#include <doctest/doctest.h>

#include "08_dct8x8/checks/dct_verification.hpp"
#include "08_dct8x8/host/dct_serial.hpp"
#include "common/verify/compare.hpp"
#include "common/verify/inputs.hpp"

using namespace tutorial;

namespace {

agreement transformed_right(const plane<float>& x) {
  const device_plane<float> d_x(x);
  device_plane<float> d_c(padded(x.width), padded(x.height));
  dct_four_faults(d_x, d_c);
  check(cudaDeviceSynchronize());
  return verify_dct8x8(x, d_c.to_host());
}

}  // namespace

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

TEST_CASE("a wave down the rows has its coefficients in the first column") {
  plane<float> x(8, 8);
  for (int row = 0; row < 8; ++row)
    for (int col = 0; col < 8; ++col) x.at(row, col) = float(row);
  const agreement result = transformed_right(x);
  CHECK_MESSAGE(bool(result), describe(result));
}

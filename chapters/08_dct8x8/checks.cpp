// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "dct_serial.hpp"

using namespace tutorial;

TEST_CASE("the rows of the matrix are orthonormal") {
  const dct_matrix_t& a = dct_matrix();
  for (int u = 0; u < 8; ++u)
    for (int v = 0; v < 8; ++v) {
      double dot = 0;
      for (int x = 0; x < 8; ++x) dot += a[u][x] * a[v][x];
      CHECK(dot == doctest::Approx(u == v ? 1.0 : 0.0).epsilon(1e-14));
    }
}

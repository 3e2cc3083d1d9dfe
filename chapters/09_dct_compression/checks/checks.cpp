// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>

#include "09_dct_compression/host/quantization.hpp"

using namespace tutorial;

TEST_CASE("the zig-zag path visits every coefficient once") {
  auto path = zigzag_order();
  CHECK(path[1] == 1);
  CHECK(path[2] == 8);
  CHECK(path[63] == 63);
  std::sort(path.begin(), path.end());
  for (int i = 0; i < 64; ++i) CHECK(path[i] == i);
}

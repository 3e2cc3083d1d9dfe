// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "01_serial_definition/convolution_checks.hpp"
#include "convolve_constant.hpp"

using namespace tutorial;

TEST_CASE_TEMPLATE("it computes the definition", T, std::int32_t, float, double) {
  const auto f = [](auto x, auto h, auto y, auto mode) { convolve_constant(x, h, y, mode); };
  CHECK(summary(convolution_failures<T>(on_device<T>(f))) == "");
}

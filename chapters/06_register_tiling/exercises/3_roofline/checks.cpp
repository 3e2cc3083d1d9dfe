// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "roofline.hpp"

#include <doctest/doctest.h>

using namespace tutorial;
using doctest::Approx;

namespace {
// A device whose limits are easy to reckon with: 16 operations in the time of a byte.
constexpr device_limits device{1e12, 16e12};
constexpr double many = 1e9;
}  // namespace

TEST_CASE("arithmetic intensity") {
  CHECK(operations_per_byte({4, 3, 4}) == Approx(24.0 / 52));   // 12 products; 4 + 3 + 6 floats
  CHECK(operations_per_byte({4, 3, 8}) == Approx(24.0 / 104));  // doubles are twice as many bytes
  CHECK(operations_per_byte({many, 5, 8}) == Approx(0.625));    // long signals: K / element_bytes
  CHECK(operations_per_byte({many, 1025, 4}) == Approx(256.25));
}

TEST_CASE("the roof") {
  CHECK(roof({many, 5, 8}, device) == Approx(0.625e12));  // memory
  CHECK(roof({many, 1025, 4}, device) == Approx(16e12));  // arithmetic
  CHECK(roof({4, 3, 4}, device) == Approx(24.0 / 52 * 1e12));
}

TEST_CASE("where both limits meet") {
  CHECK(first_taps_bound_by_arithmetic(many, 4, device) ==
        65);  // 64 / 4 is 16, less the little that the taps take
  CHECK(first_taps_bound_by_arithmetic(many, 8, device) == 129);
  CHECK(first_taps_bound_by_arithmetic(many, 4, {1e12, 0.25e12}) == 2);
  CHECK(first_taps_bound_by_arithmetic(1e6, 4, {1e12, 100e12}) > 400);
}

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "common/verify/inputs.hpp"
#include "which_may_go.hpp"

using namespace tutorial;

namespace {

struct outcome {
  std::vector<float> product;
  int products = 0;
};
outcome multiplied(const std::vector<float>& a, const std::vector<float>& b) {
  const device_buffer<float> d_a(a), d_b(b);
  device_buffer<float> d_product(128);
  device_buffer<int> count(1);
  multiply_split(d_a, d_b, d_product, count);
  return {d_product.to_host(), count.to_host()[0]};
}

void check_product(const std::vector<float>& a, const std::vector<float>& b, const std::string& what) {
  const std::vector<float> got = multiplied(a, b).product;
  for (std::size_t row = 0; row < 16; ++row)
    for (std::size_t column = 0; column < 8; ++column) {
      double exact = 0, size = 0;
      for (std::size_t k = 0; k < 16; ++k) {
        const double term = double(a[16 * row + k]) * double(b[8 * k + column]);
        exact += term, size += std::abs(term);
      }
      const double value = double(got[8 * row + column]);
      REQUIRE_MESSAGE(std::abs(value - exact) <= 0x1p-18 * size, what, ": element (", row, ", ", column,
                      ") should be ", exact, " and is ", value, ": off by ", std::abs(value - exact),
                      ", and 2^-18 sum |a| |b|, ", 0x1p-18 * size, ", is allowed");
    }
}

/// 1 to 2, either sign, with all 24 bits in use.
std::vector<float> random_numbers(std::size_t size, std::uint64_t seed) {
  std::vector<float> x(size);
  for (std::size_t i = 0; i < size; ++i) {
    const std::uint64_t bits = random_bits(seed, i);
    x[i] = (1 + float(bits >> 41) * 0x1p-23f) * (bits & 1 ? -1.0f : 1.0f);
  }
  return x;
}
std::vector<float> whole_numbers(std::size_t size, std::uint64_t seed) {
  std::vector<float> x = random_numbers(size, seed);
  for (float& each : x) each = std::round(each);
  return x;
}

}  // namespace

TEST_CASE("whole numbers, which have no low part") {
  check_product(whole_numbers(256, 1), whole_numbers(128, 2), "whole numbers");
}
TEST_CASE("a has a low part") {
  check_product(random_numbers(256, 3), whole_numbers(128, 4), "b has whole numbers");
}
TEST_CASE("b has a low part") {
  check_product(whole_numbers(256, 5), random_numbers(128, 6), "a has whole numbers");
}
TEST_CASE("both have low parts") {
  check_product(random_numbers(256, 7), random_numbers(128, 8), "neither has whole numbers");
}

TEST_CASE("the target: three mma.sync") {
  const int products = multiplied(random_numbers(256, 9), random_numbers(128, 10)).products;
  CHECK_MESSAGE(products <= 3, products, " mma.sync, 3 are enough: one of the four products does not matter");
  CHECK_MESSAGE(products >= 3, "products[0] says ", products, " mma.sync: three of the four products matter");
}
TEST_CASE("by three products of parts") {
  // The parts are 1 and 3/8192. Both low parts would add 9/2^26, which a float still shows.
  std::vector<float> a(256), b(128);
  a[0] = b[0] = 1 + 3.0f / 8192;
  const float got = multiplied(a, b).product[0], expected = 1 + 3.0f / 4096;
  CHECK_MESSAGE(got == expected,
                "(1 + 3/8192) times itself: three mma.sync give 1 + 3/4096, without the product "
                "of both low parts, and the result is off from that by ",
                double(got) - double(expected),
                ". Were floats multiplied instead of their parts, or all four parts?");
}

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <vector>

#include "common/device/check.hpp"
#include "common/verify/inputs.hpp"
#include "common/verify/longest_way.hpp"
#include "split_a_float.hpp"

using namespace tutorial;

namespace {

/// The number with these bits: 1 bit of sign, 5 of exponent, 10 of fraction.
double value_of(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  const double size = exponent == 31  ? INFINITY
                      : exponent == 0 ? std::ldexp(fraction, -24)
                                      : std::ldexp(1024 + fraction, exponent - 25);
  return bits >> 15 ? -size : size;
}

void check_split(const std::vector<float>& x) {
  const device_buffer<float> d_x(x);
  device_buffer<two_halves> d_halves(x.size());
  split_a_float(d_x, d_halves);
  check(cudaDeviceSynchronize());
  const std::vector<two_halves> halves = d_halves.to_host();
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double high = value_of(halves[i].high), low = value_of(halves[i].low), value = double(x[i]);
    REQUIRE_MESSAGE(std::abs(value - high) <= 0x1p-11 * std::abs(value), "x is ", value, ": high is ", high,
                    " and low ", low, ": a number of 16 bits that is nearer to x than high exists");
    REQUIRE_MESSAGE(std::abs(value - high - low) <= 0x1p-22 * std::abs(value), "x is ", value,
                    ": high + low is ", high, " + ", low, ", off by ", std::abs(value - high - low),
                    ", and 2^-22 |x|, ", 0x1p-22 * std::abs(value), ", is allowed");
  }
}

}  // namespace

TEST_CASE("numbers that fit into 11 bits need no low part") {
  check_split({0, 1, -1, 2, 1000, 2047, -2048, 1.5f});
}
TEST_CASE("one bit more than fits") { check_split({2049, 2051, -4098, 1.00048828125f, 1.0009765625f}); }
TEST_CASE("no number at all") { check_split({}); }
TEST_CASE("random numbers, both signs, large and small") {
  for (const std::size_t size : {1, 255, 257, 5000}) {
    std::vector<float> x(size);
    for (std::size_t i = 0; i < size; ++i) {
      const std::uint64_t bits = random_bits(size, i);
      x[i] = std::ldexp(1 + float(bits >> 41) * 0x1p-23f, int(bits & 15)) * (bits & 16 ? -0.99f : 0.99f);
      if (std::abs(x[i]) < 1) x[i] = 1.0f / 0.99f;
    }
    check_split(x);
  }
}
TEST_CASE("a thread for each number") {
  const device_buffer<float> x(std::vector<float>(5000, 1.25f));
  device_buffer<two_halves> halves(std::size_t{5000});
  check_longest_way([&] { split_a_float(x, halves); }, 500, "5000 numbers",
                    "Does one thread do the work of others?");
}

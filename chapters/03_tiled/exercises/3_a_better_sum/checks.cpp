// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "a_better_sum.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "03_tiled/convolve_tiled.hpp"
#include "common/device/check.hpp"
#include "common/files/numbers.hpp"
#include "common/verify/counted_check.hpp"
#include "common/verify/inputs.hpp"
#include "common/verify/work_spread.hpp"

using namespace tutorial;

namespace {

using numbers = std::vector<std::int32_t>;

std::uint32_t value_of(const numbers& y, std::uint32_t r) {
  const device_buffer<std::int32_t> d_y(y);
  device_buffer<std::uint32_t> d_value(1);
  evaluate(d_y, r, d_value);
  check(cudaDeviceSynchronize());
  return d_value.to_host()[0];
}

numbers convolve(const numbers& x, const numbers& h) {
  const device_buffer<std::int32_t> d_x(x), d_h(h);
  device_buffer<std::int32_t> d_y(x.size() + h.size() - 1);
  convolve_tiled<std::int32_t>(d_x, d_h, d_y, convolution_mode::full);
  return d_y.to_host();
}

}  // namespace

TEST_CASE("each element has its own power of r") {
  const std::uint32_t r = 3;
  numbers y(100);
  std::vector<std::uint32_t> powers{1};
  while (powers.size() < 200) powers.push_back(powers.back() * r);
  for (std::size_t n = 0; n < y.size(); ++n) {
    y[n] = 1;
    const std::uint32_t value = value_of(y, r);
    const auto other = std::find(powers.begin(), powers.end(), value);
    const std::string instead =
        other == powers.end() ? "" : ", which is 3^" + std::to_string(other - powers.begin());
    REQUIRE_MESSAGE(value == powers[n], "100 elements, only y[", n, "] is 1, r = 3: the value should be 3^",
                    n, " modulo 2^32 = ", powers[n], ", and is ", value, instead);
    y[n] = 0;
  }
}

TEST_CASE("small polynomials, by hand") {
  const auto check_value = [](const numbers& y, std::uint32_t r, std::uint32_t expected,
                              const std::string& sum) {
    const std::uint32_t value = value_of(y, r);
    REQUIRE_MESSAGE(value == expected, sum, " = ", expected, ", and evaluate() says ", value);
  };
  check_value({7}, 10, 7, "y = {7}, r = 10: 7 * 1");
  check_value({1, 2, 3}, 10, 321, "y = {1, 2, 3}, r = 10: 1 + 2 * 10 + 3 * 100");
  check_value({1, 2, 3}, 1, 6, "y = {1, 2, 3}, r = 1: 1 + 2 + 3");
  check_value({5, 0, -1}, 3, std::uint32_t(5 - 9), "y = {5, 0, -1}, r = 3: 5 + 0 * 3 - 1 * 9 modulo 2^32");
}

TEST_CASE("lengths around a warp: the same as one element after the other") {
  for (const std::size_t size : {1, 31, 32, 33, 64, 65, 1000}) {
    const numbers y = random_full_range(size, size);
    for (const std::uint32_t r : {1u, 3u, 0x9E3779B1u}) {
      std::uint32_t expected = 0;
      for (std::size_t n = size; n-- > 0;) expected = expected * r + std::uint32_t(y[n]);
      const std::uint32_t value = value_of(y, r);
      REQUIRE_MESSAGE(value == expected, several(size, "element"), ", r = ", r, ": the value should be ",
                      expected, ", and is ", value);
    }
  }
}

TEST_CASE("about two multiplications for each element") {
  const std::size_t size = 1600;  // more than the powers that 32 lanes begin with take
  const numbers y = random_full_range(size);
  const std::uint64_t before = multiplications_so_far();
  value_of(y, 3);
  const std::uint64_t made = multiplications_so_far() - before;
  REQUIRE_MESSAGE(made >= size, made, " multiplications were counted for ", several(size, "element"),
                  ": multiply by times(), which counts");
  // Two for each element, and for each of 32 lanes the two powers that it starts with.
  const std::size_t most = 2 * size + 32 * 64;
  REQUIRE_MESSAGE(made <= most, made, " multiplications for ", several(size, "element"), ", and ", most,
                  " are enough: from round to round a power can be made of the last one");
}

TEST_CASE("the 32 lanes share the elements") {
  const device_buffer<std::int32_t> y(random_full_range(1600));
  device_buffer<std::uint32_t> value(1);
  const auto launches = count_launches([&] { evaluate(y, 3, value); });
  if (!has_counts(launches)) return;
  const launch_counts counts = sum(launches);
  REQUIRE_MESSAGE(counts.global_loads == y.size(), several(counts.global_loads, "load"), " for ",
                  several(y.size(), "element"), ": a lane is to take every 32nd");
  require_lanes_together(counts.global_loads, counts.global_load_requests, "load");
}

TEST_CASE("it accepts the right convolution, and refuses those that a sum accepts") {
  numbers a(1024), b(1024);
  std::iota(a.begin(), a.end(), 1);
  std::iota(b.begin(), b.end(), 1025);
  const std::uint32_t r = 0x9E3779B1;
  const std::uint32_t expected = value_of(a, r) * value_of(b, r);
  const numbers right = convolve(a, b);
  REQUIRE_MESSAGE(value_of(right, r) == expected, "the right convolution was refused");

  const numbers correlated = convolve(a, numbers(b.rbegin(), b.rend()));
  REQUIRE_MESSAGE(value_of(correlated, r) != expected, "a filter that is not flipped was accepted");
  const numbers reversed(right.rbegin(), right.rend());
  REQUIRE_MESSAGE(value_of(reversed, r) != expected, "the last output first was accepted");
  numbers wrong = right;
  std::rotate(wrong.begin(), wrong.begin() + 1, wrong.end());
  REQUIRE_MESSAGE(value_of(wrong, r) != expected, "outputs shifted by one were accepted");
  wrong = right;
  std::swap(wrong[1000], wrong[1001]);
  REQUIRE_MESSAGE(value_of(wrong, r) != expected, "two outputs exchanged were accepted");
}

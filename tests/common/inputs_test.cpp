// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>
#include <type_traits>

#include "common/verify/inputs.hpp"

using namespace tutorial;

TEST_CASE("the same numbers on every machine") {
  // The first outputs of splitmix64 are known; ours are addressed by index and mix the seed first.
  CHECK(random_bits(1, 0) == random_bits(1, 0));
  CHECK(random_bits(1, 0) != random_bits(1, 1));
  CHECK(random_bits(1, 1) != random_bits(2, 0));  // neighboring seeds are not shifted copies
  const auto signal = random_signal<double>(3, 1);
  CHECK(signal == random_signal<double>(3, 1));
  CHECK(signal != random_signal<double>(3, 2));
  const auto longer = random_signal<double>(5, 1);
  CHECK(std::equal(signal.begin(), signal.end(), longer.begin()));
}

TEST_CASE_TEMPLATE("random_signal stays within [-1, 1) and fills it evenly", T, float, double) {
  const auto signal = random_signal<T>(100'000, 5);
  const auto [least, most] = std::minmax_element(signal.begin(), signal.end());
  CHECK(*least >= T(-1));
  CHECK(*most < T(1));
  CHECK(*least < T(-0.999));
  CHECK(*most > T(0.999));
  double sum = 0, squares = 0;
  for (const T value : signal) sum += double(value), squares += double(value) * double(value);
  CHECK(std::abs(sum / 1e5) < 0.01);  // 5 standard deviations of the mean
  CHECK(std::abs(squares / 1e5 - 1.0 / 3) < 0.01);
}

TEST_CASE("whole numbers within their limit, all of them reached") {
  const auto values = random_whole_numbers<float>(10'000, 3, 8);
  std::set<float> seen(values.begin(), values.end());
  CHECK(seen.size() == 17);
  CHECK(*seen.begin() == -8);
  CHECK(*seen.rbegin() == 8);
  const auto integers = random_signal<std::int32_t>(100'000);
  const auto [least, most] = std::minmax_element(integers.begin(), integers.end());
  CHECK(*least == -1000);
  CHECK(*most == 1000);
  CHECK_THROWS_AS(random_whole_numbers<float>(1, 1, -1), std::invalid_argument);
  const auto full = random_full_range(10'000);
  CHECK(*std::min_element(full.begin(), full.end()) < -2'000'000'000);
  CHECK(*std::max_element(full.begin(), full.end()) > 2'000'000'000);
}

TEST_CASE_TEMPLATE("taps are different, not zero and not symmetric, for any seed", T, std::int32_t, float,
                   double) {
  for (const std::size_t taps : {1u, 2u, 5u, 32u, 1025u}) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      CAPTURE(taps);
      CAPTURE(seed);
      const auto h = random_taps<T>(taps, seed);
      CHECK(h.size() == taps);
      CHECK(std::set<T>(h.begin(), h.end()).size() == taps);
      CHECK(std::find(h.begin(), h.end(), T(0)) == h.end());
      CHECK((taps == 1 || !std::equal(h.begin(), h.end(), h.rbegin())));
      const double most = std::is_integral_v<T> ? 2.0 * double(taps) : 1.0;
      CHECK(std::all_of(h.begin(), h.end(), [&](T tap) { return std::abs(double(tap)) <= most; }));
    }
  }
}

TEST_CASE("ramp, impulse, box filter") {
  CHECK(ramp<double>(3) == std::vector<double>{0, 1, 2});
  CHECK(impulse<std::int32_t>(3, 2) == std::vector<std::int32_t>{0, 0, 1});
  CHECK_THROWS_AS(impulse<float>(3, 3), std::out_of_range);
  CHECK(box_filter<double>(4) == std::vector<double>(4, 0.25));
  CHECK(box_filter<std::int32_t>(4) == std::vector<std::int32_t>(4, 1));
  CHECK(random_signal<double>(0).empty());
}

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "common/files/numbers.hpp"
#include "find_the_faults.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "common/verify/case_at_work.hpp"
#include "common/verify/compare.hpp"
#include "common/verify/inputs.hpp"

using namespace tutorial;

namespace {

std::vector<float> answer(const std::vector<float>& x, const std::vector<float>& h) {
  const case_at_work here("N = " + several(x.size(), "sample") + " and K = " + several(h.size(), "tap"));
  std::vector<float> y(x.size(), std::numeric_limits<float>::quiet_NaN());
  convolve_ring(x, h, y);
  return y;
}

std::vector<float> expected(const std::vector<float>& x, const std::vector<float>& h) {
  const auto samples = std::ssize(x), middle = (std::ssize(h) - 1) / 2;
  std::vector<float> y(x.size());
  for (std::ptrdiff_t i = 0; i < samples; ++i)
    for (std::ptrdiff_t k = 0; k < std::ssize(h); ++k) {
      std::ptrdiff_t m = i + middle - k;
      while (m < 0) m += samples;
      while (m >= samples) m -= samples;
      y[std::size_t(i)] += h[std::size_t(k)] * x[std::size_t(m)];
    }
  return y;
}

std::string told(const agreement& result) {
  return describe(result, "y is filled with NaN before the call: was it never written, or added to?");
}

}  // namespace

TEST_CASE("one tap: every hour by itself") {
  const agreement result = compare<float>(answer({3, 1, 4, 1, 5}, {2}), {6, 2, 8, 2, 10});
  CHECK_MESSAGE(bool(result), told(result));
}

TEST_CASE("three taps: the hours before and after, also around midnight") {
  // By hand: y[0] = 1 x[1] + 10 x[0] + 100 x[4], and so on round the ring.
  const agreement result = compare<float>(answer({1, 2, 3, 4, 5}, {1, 10, 100}), {512, 123, 234, 345, 451});
  CHECK_MESSAGE(bool(result), told(result));
}

TEST_CASE("any length, odd and even numbers of taps, also more taps than hours") {
  for (const std::size_t taps : {3, 5, 31, 2, 4, 24, 50, 100})
    for (const std::size_t samples : {24, 1, 2, 3, 23, 25, 365}) {
      // Whole numbers: exact in any order.
      const auto x = random_whole_numbers<float>(samples, taps),
                 h = random_whole_numbers<float>(taps, samples);
      const agreement result = compare<float>(answer(x, h), expected(x, h));
      REQUIRE_MESSAGE(bool(result), several(samples, "sample"), ", ", several(taps, "tap"), ": ",
                      told(result));
    }
}

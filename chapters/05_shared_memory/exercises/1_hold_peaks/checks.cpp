// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "common/files/numbers.hpp"
#include "hold_peaks.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "common/device/check.hpp"
#include "common/verify/compare.hpp"
#include "common/verify/counted_check.hpp"
#include "common/verify/inputs.hpp"
#include "common/verify/work_spread.hpp"

using namespace tutorial;

namespace {

std::vector<float> peaks(const std::vector<float>& x) {
  std::vector<float> y(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::size_t first = i >= std::size_t{held} ? i - (held - 1) : 0;
    y[i] = *std::max_element(x.begin() + std::ptrdiff_t(first), x.begin() + std::ptrdiff_t(i) + 1);
  }
  return y;
}

/// Levels in decibels: 0 is as loud as can be, and everything else is below.
std::vector<float> levels(std::size_t size) {
  std::vector<float> x = random_signal<float>(size, size);
  for (float& level : x) level = 30 * level - 45;
  return x;
}

/// What is wrong, and a word about a peak that none of the levels is.
std::string told(agreement result, const std::vector<float>& x) {
  const double largest = double(*std::max_element(x.begin(), x.end()));
  if (result.worst_actual <= largest || std::isnan(result.worst_actual)) return describe(result);
  result.looks_like = {};  // that is about sums
  return describe(result) + ". The largest of all levels is " + significant(largest) +
         ": what was compared that is no level?";
}

agreement held_on_device(const std::vector<float>& x) {
  // What a block before left in shared memory would be a peak.
  device_buffer<float> loud(std::vector<float>(1000, 1e30f)), of_loud(1000);
  hold_peaks(loud, of_loud);
  const device_buffer<float> d_x(x);
  device_buffer<float> d_y(x.size());
  hold_peaks(d_x, d_y);
  check(cudaDeviceSynchronize());
  return compare<float>(d_y.to_host(), peaks(x));
}

}  // namespace

TEST_CASE("one click, held for a hundred samples and no longer") {
  for (const std::size_t at : {400, 0, 1, 27, 28, 29, 127, 128, 255, 499}) {
    const agreement result = held_on_device(impulse<float>(500, at));
    REQUIRE_MESSAGE(bool(result), "a click at ", at, ": ", describe(result));
  }
}

TEST_CASE("levels below zero, in signals of any length") {
  for (const std::size_t size : {1000, 1, 2, 99, 100, 101, 127, 128, 129, 227, 256, 257, 2500}) {
    const agreement result = held_on_device(levels(size));
    REQUIRE_MESSAGE(bool(result), several(size, "level"), ": ", told(result, levels(size)));
  }
}

TEST_CASE("levels far below zero") {
  const agreement result = held_on_device(std::vector<float>(300, -1e30f));
  REQUIRE_MESSAGE(bool(result), "300 levels of -1e30: ", told(result, {-1e30f}));
}

TEST_CASE("what lies before and behind the samples is neither read nor written") {
  constexpr std::size_t size = 300, margin = 256;
  const std::vector<float> x = levels(size);
  std::vector<float> surrounded(margin + size + margin, 1e30f);  // louder than every sample
  std::ranges::copy(x, surrounded.begin() + margin);
  const device_buffer<float> d_x(surrounded);
  device_buffer<float> d_y(surrounded.size());  // NaN everywhere
  hold_peaks(d_x.span().subspan(margin, size), d_y.span().subspan(margin, size));
  check(cudaDeviceSynchronize());
  const std::vector<float> y = d_y.to_host();
  const agreement result = compare<float>(std::vector<float>(y.begin() + margin, y.end() - margin), peaks(x));
  CHECK_MESSAGE(bool(result), "between samples that are none of ours: ", describe(result));
  const auto is_nan = [](float value) { return std::isnan(value); };
  CHECK_MESSAGE(std::all_of(y.begin(), y.begin() + margin, is_nan),
                "something was written before the outputs");
  CHECK_MESSAGE(std::all_of(y.end() - margin, y.end(), is_nan), "something was written behind the outputs");
}

TEST_CASE("a block loads each sample once") {
  constexpr int size = 1000;
  const device_buffer<float> x(levels(size));
  device_buffer<float> y(size);
  const auto launches = count_launches([&] { hold_peaks(x, y); });
  if (!has_counts(launches)) return;
  const launch_counts counts = sum(launches);
  require_work_spread(launches, size);
  const int threads = int(launches[0].block[0]);
  std::uint64_t expected = 0;
  for (int begin = 0; begin < size; begin += threads)
    expected += std::uint64_t(std::min(begin + threads, size) - std::max(begin - (held - 1), 0));
  CHECK_MESSAGE(counts.global_loads == expected, several(counts.global_loads, "load"), ", but ", expected,
                " are needed: each block loads its own samples and its halo, each once");
}

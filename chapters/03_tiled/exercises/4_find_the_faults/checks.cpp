// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "common/files/numbers.hpp"
#include "find_the_faults.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "common/device/check.hpp"
#include "common/verify/compare.hpp"
#include "common/verify/counted_check.hpp"
#include "common/verify/inputs.hpp"

using namespace tutorial;

namespace {

agreement outcome(const std::vector<float>& x, std::size_t width) {
  const device_buffer<float> d_x(x);
  device_buffer<float> y(x.size());  // NaN
  remaining_energy(d_x, int(width), y);
  check(cudaDeviceSynchronize());
  std::vector<float> expected(x);
  for (std::size_t n = x.size(); n-- > 0;) {
    expected[n] *= x[n];
    if ((n + 1) % width != 0) expected[n] += expected[n + 1];
  }
  return compare<float>(y.to_host(), expected);  // whole numbers below 2^24: exact in any order
}

}  // namespace

TEST_CASE("32 ones: 32, 31, ..., 1") {
  const agreement result = outcome(std::vector<float>(32, 1), 32);
  CHECK_MESSAGE(bool(result), "x is 32 ones, so y[i] should be 32 - i: ", describe(result));
}

TEST_CASE("64 ones: 33 comes before 32") {
  const agreement result = outcome(std::vector<float>(64, 1), 64);
  CHECK_MESSAGE(bool(result), "x is 64 ones, so y[i] should be 64 - i: ", describe(result));
}

TEST_CASE("signals of any length, any number of them") {
  for (const std::size_t width : {96, 100, 1, 2, 31, 33, 63, 65, 257, 1000})
    for (const std::size_t rows : {1, 37}) {  // the last block has warps to spare
      const agreement result = outcome(random_whole_numbers<float>(rows * width, width, 30), width);
      REQUIRE_MESSAGE(bool(result), several(rows, "signal"), " of ", several(width, "sample"), ": ",
                      describe(result));
    }
}

TEST_CASE("nothing is written beside y") {
  constexpr std::size_t width = 33, rows = 5, margin = 512;
  const device_buffer<float> x(random_signal<float>(margin + width * rows + margin));
  device_buffer<float> y(x.size());  // NaN
  remaining_energy(x.span().subspan(margin, width * rows), int(width),
                   y.span().subspan(margin, width * rows));
  check(cudaDeviceSynchronize());
  const std::vector<float> all = y.to_host();
  const auto written = std::ranges::count_if(all, [](float value) { return !std::isnan(value); });
  CHECK_MESSAGE(written == std::ptrdiff_t(width * rows), written, " elements were written, and y has ",
                width * rows);
}

TEST_CASE("each sample is loaded once, each output stored once") {
  const std::size_t width = 100, rows = 20;
  const device_buffer<float> x(random_signal<float>(width * rows));
  device_buffer<float> y(x.size());
  const auto launches = count_launches([&] { remaining_energy(x, int(width), y); });
  if (!has_counts(launches)) return;
  const launch_counts counts = sum(launches);
  CHECK_MESSAGE(counts.global_loads == x.size(), several(counts.global_loads, "load"), " for ",
                several(x.size(), "sample"));
  CHECK_MESSAGE(counts.global_stores == x.size(), several(counts.global_stores, "store"), " for ",
                several(x.size(), "output"));
}

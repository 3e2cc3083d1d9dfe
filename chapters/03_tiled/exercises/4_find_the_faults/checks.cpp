// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "common/files/numbers.hpp"
#include "find_the_faults.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "common/device/check.hpp"
#include "common/verify/as_if.hpp"
#include "common/verify/compare.hpp"
#include "common/verify/counted_check.hpp"
#include "common/verify/inputs.hpp"
#include "common/verify/work_spread.hpp"

using namespace tutorial;

namespace {

/// What the kernel computes: 32 samples at a time, the last ones first. `beyond`: a lane that asks beyond
/// lane 31 adds its own value, which is what it gets. `own`: each lane carries its own energy on.
std::vector<float> by_tiles(const std::vector<float>& x, std::size_t width, bool beyond, bool own) {
  std::vector<float> y(x.size());
  for (std::size_t row = 0; row < x.size(); row += width) {
    float carry[32] = {};
    for (std::size_t begin = (width - 1) / 32 * 32 + 32; begin > 0;) {
      begin -= 32;
      float energy[32] = {};
      for (std::size_t lane = 0; lane < 32 && begin + lane < width; ++lane)
        energy[lane] = x[row + begin + lane] * x[row + begin + lane];
      for (std::size_t distance = 1; distance < 32; distance *= 2)  // a lane is read before it changes
        for (std::size_t lane = 0; lane < 32; ++lane)
          energy[lane] += lane + distance < 32 ? energy[lane + distance] : beyond ? energy[lane] : 0;
      for (std::size_t lane = 0; lane < 32; ++lane) {
        energy[lane] += carry[lane];
        if (begin + lane < width) y[row + begin + lane] = energy[lane];
      }
      for (std::size_t lane = 0; lane < 32; ++lane) carry[lane] = energy[own ? lane : 0];
    }
  }
  return y;
}

/// Empty where all is right.
std::string what_is_wrong(const std::vector<float>& x, std::size_t width) {
  const device_buffer<float> d_x(x);
  device_buffer<float> d_y(x.size());  // NaN
  remaining_energy(d_x, int(width), d_y);
  check(cudaDeviceSynchronize());
  std::vector<float> expected(x);
  for (std::size_t n = x.size(); n-- > 0;) {
    expected[n] *= x[n];
    if ((n + 1) % width != 0) expected[n] += expected[n + 1];
  }
  const std::vector<float> y = d_y.to_host();
  const agreement result = compare<float>(y, expected);  // whole numbers below 2^24: exact in any order
  if (result) return "";
  const char* const of_beyond = "a lane that asks beyond lane 31, and gets its own value back, added that";
  const char* const of_own =
      "each lane carried its own energy to the next 32 samples, and not that of all 32 lanes";
  const std::string both = std::string(of_beyond).append(", and ").append(of_own);
  return describe(result) + as_if<float>(y, {{of_beyond, by_tiles(x, width, true, false)},
                                             {of_own, by_tiles(x, width, false, true)},
                                             {both, by_tiles(x, width, true, true)}});
}

}  // namespace

TEST_CASE("32 ones: 32, 31, ..., 1") {
  const std::string wrong = what_is_wrong(std::vector<float>(32, 1), 32);
  CHECK_MESSAGE(wrong.empty(), "x is 32 ones, so y[i] should be 32 - i: ", wrong);
}

TEST_CASE("64 ones: 33 comes before 32") {
  const std::string wrong = what_is_wrong(std::vector<float>(64, 1), 64);
  CHECK_MESSAGE(wrong.empty(), "x is 64 ones, so y[i] should be 64 - i: ", wrong);
}

TEST_CASE("signals of any length, any number of them") {
  for (const std::size_t width : {96, 100, 1, 2, 31, 33, 63, 65, 257, 1000})
    for (const std::size_t rows : {1, 37}) {  // the last block has warps to spare
      const std::string wrong = what_is_wrong(random_whole_numbers<float>(rows * width, width, 30), width);
      REQUIRE_MESSAGE(wrong.empty(), several(rows, "signal"), " of ", several(width, "sample"), ": ", wrong);
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
  const std::size_t width = 100, rows = 10;
  const device_buffer<float> x(random_signal<float>(width * rows));
  device_buffer<float> y(x.size());
  const auto launches = count_launches([&] { remaining_energy(x, int(width), y); });
  if (!has_counts(launches)) return;
  const launch_counts counts = sum(launches);
  CHECK_MESSAGE(counts.global_loads == x.size(), several(counts.global_loads, "load"), " for ",
                several(x.size(), "sample"));
  CHECK_MESSAGE(counts.global_stores == x.size(), several(counts.global_stores, "store"), " for ",
                several(x.size(), "output"));
  require_one_warp_each(launches, rows, "signal");
}

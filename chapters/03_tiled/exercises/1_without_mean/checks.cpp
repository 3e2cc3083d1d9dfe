// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "common/files/numbers.hpp"
#include "without_mean.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "common/device/check.hpp"
#include "common/verify/case_at_work.hpp"
#include "common/verify/compare.hpp"
#include "common/verify/counted_check.hpp"
#include "common/verify/inputs.hpp"
#include "common/verify/work_spread.hpp"

using namespace tutorial;

namespace {

std::vector<float> answer(const std::vector<float>& x, std::size_t width) {
  const case_at_work now(several(x.size() / width, "signal") + " of " + several(width, "sample"));
  const device_buffer<float> d_x(x);
  device_buffer<float> y(x.size());  // NaN
  remove_means(d_x, int(width), y);
  check(cudaDeviceSynchronize());
  return y.to_host();
}

/// Which element is wrong first, and what mean its value has come from.
std::string first_wrong(const agreement& result, const std::vector<float>& x, std::size_t width,
                        const std::vector<float>& y, const std::vector<float>& expected) {
  if (result) return "";
  const std::size_t at = result.first_index, row = at / width;
  std::ostringstream text;
  text << several(x.size() / width, "signal") << " of " << several(width, "sample") << ": y has "
       << result.mismatches << " wrong elements of " << y.size() << ", the first is y[" << at << "], sample "
       << at - row * width << " of signal " << row << ". x is " << x[at] << " there, and the mean of signal "
       << row << " is " << x[at] - expected[at] << ", so y should be " << expected[at] << ". It is " << y[at];
  if (std::isnan(y[at]))
    text << ". The output is filled with NaN before the call: was it never written?";
  else
    text << ", as with the mean " << x[at] - y[at];
  // Has the right sum been divided by another whole number?
  const double mean = double(x[at]) - double(y[at]),
               total = (double(x[at]) - double(expected[at])) * double(width);
  const double divisor = total / mean, whole = std::nearbyint(divisor);
  if (mean != 0 && 1 <= whole && whole <= 1024 && whole != double(width) && std::abs(divisor - whole) < 1e-3)
    text << ": the sum " << total << ", divided by " << whole << " and not by " << width;
  return text.str();
}

}  // namespace

TEST_CASE("one sample of 64 among zeros, wherever it is") {
  const std::size_t width = 64;
  std::vector<float> x(width * width), expected(width * width, -1.0f);
  for (std::size_t row = 0; row < width; ++row)
    x[row * width + row] = 64, expected[row * width + row] = 63;  // the mean is 1
  const std::vector<float> y = answer(x, width);
  const agreement result = compare<float>(y, expected);
  CHECK_MESSAGE(bool(result), first_wrong(result, x, width, y, expected));
}

TEST_CASE("any length of a signal, any number of signals") {
  for (const std::size_t width : {1, 2, 5, 31, 32, 33, 63, 64, 65, 257, 1000})
    for (const std::size_t rows : {1, 37}) {  // the last block has warps to spare
      // Whole numbers: every sum is exact, so that only the division and the difference are rounded.
      const auto x = random_whole_numbers<float>(rows * width, width, 100);
      std::vector<float> expected(x.size());
      std::vector<double> bound(x.size());
      for (std::size_t row = 0; row < rows; ++row) {
        double sum = 0;
        for (std::size_t i = 0; i < width; ++i) sum += double(x[row * width + i]);
        const double mean = sum / double(width);
        for (std::size_t i = row * width; i < (row + 1) * width; ++i) {
          expected[i] = float(double(x[i]) - mean);
          // Half an eps each: twice for the mean, should it be multiplied by 1 / width;
          // once for the difference, on either side.
          bound[i] =
              2 * double(std::numeric_limits<float>::epsilon()) * (std::abs(mean) + std::abs(double(x[i])));
        }
      }
      const std::vector<float> y = answer(x, width);
      const agreement result = compare<float>(y, expected, bound);
      REQUIRE_MESSAGE(bool(result), first_wrong(result, x, width, y, expected));
    }
}

TEST_CASE("nothing is written beside y") {
  constexpr std::size_t width = 33, rows = 5, margin = 512;
  const device_buffer<float> x(random_signal<float>(margin + width * rows + margin));
  device_buffer<float> y(x.size());  // NaN
  remove_means(x.span().subspan(margin, width * rows), int(width), y.span().subspan(margin, width * rows));
  check(cudaDeviceSynchronize());
  const std::vector<float> all = y.to_host();
  const auto written = std::ranges::count_if(all, [](float value) { return !std::isnan(value); });
  CHECK_MESSAGE(written == std::ptrdiff_t(width * rows), written, " elements were written, and y has ",
                width * rows);
}

TEST_CASE("each sample is loaded twice at most, and nothing goes through memory") {
  const std::size_t width = 100, rows = 10;
  const device_buffer<float> x(random_signal<float>(width * rows));
  device_buffer<float> y(x.size());
  const auto launches = count_launches([&] { remove_means(x, int(width), y); });
  if (!has_counts(launches)) return;
  const launch_counts counts = sum(launches);
  CHECK_MESSAGE(counts.global_loads <= 2 * x.size(), several(counts.global_loads, "load"),
                "; two for each of the ", several(x.size(), "sample"), " are enough");
  CHECK_MESSAGE(counts.global_stores == x.size(), several(counts.global_stores, "store"), " for ",
                several(x.size(), "output"));
  require_one_warp_each(launches, rows, "signal");
  require_lanes_together(counts.global_stores, counts.global_store_requests, "store");
  CHECK_MESSAGE(counts.shared_loads == 0, several(counts.shared_loads, "load"),
                " from shared memory; shuffles need none");
}

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "common/files/numbers.hpp"
#include "every_third.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "01_serial_definition/convolution_checks.hpp"
#include "01_serial_definition/convolve_serial.hpp"
#include "common/device/check.hpp"
#include "common/verify/case_at_work.hpp"
#include "common/verify/compare.hpp"
#include "common/verify/counted_check.hpp"
#include "common/verify/inputs.hpp"
#include "common/verify/work_spread.hpp"

using namespace tutorial;

namespace {

std::size_t outputs_of(std::size_t samples, std::size_t taps, int step) {
  return (samples + taps - 1 + std::size_t(step) - 1) / std::size_t(step);
}

/// What is wrong with the answer; "" where it is `expected`.
std::string wrong(const std::vector<float>& x, const std::vector<float>& h, int step,
                  const std::vector<float>& expected) {
  const device_buffer<float> d_x(x), d_h(h);
  device_buffer<float> y(outputs_of(x.size(), h.size(), step));  // NaN
  const auto launches = count_launches([&] { filter_and_thin_out(d_x, d_h, step, y); });
  check(cudaDeviceSynchronize());
  const agreement result = compare<float>(y.to_host(), expected);
  return result ? "" : too_few_threads(launches, y.size()) + ": " + describe(result);
}

}  // namespace

TEST_CASE("a filter of one tap: every third sample") {
  const std::string what = wrong({1, 2, 3, 4, 5, 6, 7}, {10}, 3, {10, 40, 70});
  CHECK_MESSAGE(what.empty(), "x = [1 2 3 4 5 6 7], h = [10], step 3, y should be [10 40 70]", what);
}

TEST_CASE("any step: the same as filtering everything and throwing away what is not wanted") {
  for (const int step : {2, 3, 7, 1000})
    for (const std::size_t samples : {1, 2, 31, 255, 256, 257, 2000})
      for (const std::size_t taps : {1, 2, 5, 33}) {
        // Whole numbers: exact in any order.
        const auto x = random_whole_numbers<float>(samples, 1), h = random_whole_numbers<float>(taps, 2);
        std::vector<float> full(samples + taps - 1), expected;
        convolve_gather<float>(x, h, full, convolution_mode::full);
        for (std::size_t n = 0; n < full.size(); n += std::size_t(step)) expected.push_back(full[n]);
        const std::string what = wrong(x, h, step, expected);
        REQUIRE_MESSAGE(what.empty(), several(samples, "sample"), ", ", several(taps, "tap"), ", step ", step,
                        what);
      }
}

TEST_CASE("with step 1 it is the full convolution, and writes nothing outside y") {
  const auto all = [](auto x, auto h, auto y, auto) { filter_and_thin_out(x, h, 1, y); };
  CHECK(summary(convolution_failures<float>(on_device<float>(all), {.modes = {convolution_mode::full}})) ==
        "");
  CHECK(summary(overrun_failures<float>(all, {.modes = {convolution_mode::full}})) == "");
}

TEST_CASE("nothing is written behind y") {
  constexpr std::size_t samples = 2000, margin = 256;
  const device_buffer<float> x(random_signal<float>(samples)), h(random_taps<float>(5));
  const std::size_t outputs = outputs_of(samples, 5, 3);
  device_buffer<float> y(outputs + margin);  // NaN
  filter_and_thin_out(x, h, 3, y.span().subspan(0, outputs));
  check(cudaDeviceSynchronize());
  const std::vector<float> all = y.to_host();
  const auto behind =
      std::count_if(all.end() - margin, all.end(), [](float value) { return !std::isnan(value); });
  CHECK_MESSAGE(behind == 0, "elements behind y that were overwritten: ", behind);
}

TEST_CASE("only what is kept is computed, by two loads for each product") {
  const std::size_t samples = 3000, taps = 31;
  const device_buffer<float> x(random_signal<float>(samples)), h(random_taps<float>(taps));
  device_buffer<float> y(outputs_of(samples, taps, 3));
  const auto launches = count_launches([&] { filter_and_thin_out(x, h, 3, y); });
  if (!has_counts(launches)) return;
  const std::size_t most = 2 * taps * y.size();  // a tap and a sample for each product
  CHECK_MESSAGE(sum(launches).global_loads <= most, several(y.size(), "output"), " of ", several(taps, "tap"),
                " take at most ", several(most, "load"), ", but there were ", sum(launches).global_loads,
                idle_loads(launches));
  CHECK_MESSAGE(sum(launches).threads < y.size() + 1024, several(y.size(), "output"),
                " need about as many threads, but ", sum(launches).threads,
                leading_to("launches", " were launched"));
  require_work_spread(launches, y.size());
}

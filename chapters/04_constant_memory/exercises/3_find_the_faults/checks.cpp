// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "common/files/numbers.hpp"
#include "find_the_faults.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "01_serial_definition/convolution_checks.hpp"
#include "common/device/check.hpp"
#include "common/verify/compare.hpp"
#include "common/verify/counted_check.hpp"
#include "common/verify/inputs.hpp"
#include "common/verify/work_spread.hpp"

using namespace tutorial;

namespace {

// The checks of this chapter hand the filter over in device memory.
const auto answer = [](auto x, auto h, auto y, auto) {
  std::vector<double> taps(h.size());
  check(cudaMemcpy(taps.data(), h.data(), h.size_bytes(), cudaMemcpyDeviceToHost));
  smooth(x, taps, y);
};

}  // namespace

TEST_CASE("the mean of five") {
  const std::vector<double> x{1, 2, 3, 4, 5, 6, 7}, mean(5, 0.25);  // a quarter, so that sums are exact
  const device_buffer<double> d_x(x);
  device_buffer<double> y(7);
  smooth(d_x, mean, y);
  const agreement result = compare<double>(y.to_host(), {1.5, 2.5, 3.75, 5, 6.25, 5.5, 4.5});
  REQUIRE_MESSAGE(bool(result), describe(result));
}

TEST_CASE("one filter of five taps, then others of the same length") {
  const std::vector<double> x{1, 2, 3, 4, 5, 6, 7};
  const device_buffer<double> d_x(x);
  device_buffer<double> y(7);
  smooth(d_x, std::vector<double>(5, 0.25), y);
  smooth(d_x, std::vector<double>{1, 0, 0, 0, 0}, y);  // y[i] = x[i + 2]
  const agreement result = compare<double>(y.to_host(), {3, 4, 5, 6, 7, 0, 0});
  REQUIRE_MESSAGE(bool(result), "with the second filter: ", describe(result));
  smooth(d_x, std::vector<double>{0, 0.5, 0.5, 0, 0}, y);
  smooth(d_x, std::vector<double>{0, 0, 1, 0, 0}, y);  // first tap, last tap and sum as before; y[i] = x[i]
  const agreement third = compare<double>(y.to_host(), x);
  REQUIRE_MESSAGE(bool(third),
                  "with a filter of the same first tap and sum as the one before: ", describe(third));
}

TEST_CASE("any filter of up to 31 taps, any length") {
  for (const std::size_t samples : {1, 2, 3, 31, 511, 512, 513, 1000, 7919})
    for (const std::size_t taps : {1, 3, 5, 31}) {
      const auto x = random_whole_numbers<double>(samples, 1), h = random_whole_numbers<double>(taps, 2);
      std::vector<double> expected(samples);
      const std::ptrdiff_t radius = std::ptrdiff_t(taps) / 2;
      for (std::ptrdiff_t i = 0; i < std::ptrdiff_t(samples); ++i)
        for (std::ptrdiff_t k = 0; k < std::ptrdiff_t(taps); ++k)
          if (i + radius - k >= 0 && i + radius - k < std::ptrdiff_t(samples))
            expected[std::size_t(i)] += h[std::size_t(k)] * x[std::size_t(i + radius - k)];
      const device_buffer<double> d_x(x);
      device_buffer<double> y(samples);
      smooth(d_x, h, y);
      check(cudaDeviceSynchronize());
      const agreement result = compare<double>(y.to_host(), expected);
      REQUIRE_MESSAGE(bool(result), several(samples, "sample"), ", ", several(taps, "tap"), ": ",
                      describe(result));
    }
}

TEST_CASE("x, h and y inside larger arrays: the right outputs, and nothing else is written") {
  const convolution_cases odd{
      .tile = 512, .even_taps = false, .modes = {convolution_mode::same}, .most_failures = 1};
  const auto few_taps = [](auto x, auto h, auto y, auto mode) { answer(x, h.subspan(0, 1), y, mode); };
  const auto one_tap = on_host<double>([](auto x, auto h, auto y, auto) {
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = h[0] * x[i];
  });
  const auto failures = overrun_failures<double>(few_taps, odd, one_tap);
  REQUIRE_MESSAGE(failures.empty(), summary(failures));
}

TEST_CASE("all lanes of a warp want the same tap") {
  const device_buffer<double> x(random_signal<double>(1000));
  device_buffer<double> y(1000);
  const auto launches = count_launches([&] { smooth(x, random_taps<double>(5), y); });
  if (!has_counts(launches)) return;
  const launch_counts counts = sum(launches);
  require_work_spread(launches, 1000);
  REQUIRE_MESSAGE(counts.constant_requests > 0, "no tap was loaded from constant memory");
  REQUIRE_MESSAGE(counts.constant_addresses == counts.constant_requests, "the lanes of a warp asked for ",
                  counts.constant_addresses, " different taps in ",
                  several(counts.constant_requests, "request"),
                  ": where all want the same one, it is one in each");
  require_lanes_together(counts.constant_loads, counts.constant_requests, "load", " from constant memory");
}

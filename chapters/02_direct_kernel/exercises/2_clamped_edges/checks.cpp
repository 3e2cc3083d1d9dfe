// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "clamped_edges.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "01_serial_definition/convolution_checks.hpp"
#include "common/verify/compare.hpp"
#include "common/verify/counted_check.hpp"
#include "common/verify/inputs.hpp"
#include "common/verify/work_spread.hpp"

using namespace tutorial;

TEST_CASE("by hand: three taps over five samples") {
  const device_buffer<float> x(std::vector<float>{1, 2, 3, 4, 5}), h(std::vector<float>{1, 10, 100});
  device_buffer<float> y(5);
  convolve_clamped(x, h, y);
  check(cudaDeviceSynchronize());
  const agreement result = compare<float>(y.to_host(), {112, 123, 234, 345, 455});
  CHECK_MESSAGE(result,
                "x = [1 2 3 4 5], h = [1 10 100], y should be [112 123 234 345 455]: ", describe(result));
}

TEST_CASE("a constant signal stays constant under a filter whose taps add up to 1, up to the very edge") {
  const device_buffer<float> x(std::vector<float>(100, 3.0f)),
      h(std::vector<float>{0.25f, 0.5f, 0.125f, 0.125f});
  device_buffer<float> y(100);
  convolve_clamped(x, h, y);
  check(cudaDeviceSynchronize());
  const agreement result = compare<float>(y.to_host(), std::vector<float>(100, 3.0f));
  CHECK_MESSAGE(result,
                "100 samples of 3, 4 taps that add up to 1, so all of y should be 3: ", describe(result));
}

TEST_CASE("it agrees with the formula for all lengths and taps") {
  const auto formula = [](auto x, auto h, auto y, auto) {
    const auto last = std::ssize(x) - 1, middle = (std::ssize(h) - 1) / 2;
    for (std::ptrdiff_t i = 0; i < std::ssize(y); ++i) {
      float sum = 0;
      for (std::ptrdiff_t k = 0; k < std::ssize(h); ++k)
        sum += h[k] * x[std::clamp<std::ptrdiff_t>(i + middle - k, 0, last)];
      y[i] = sum;
    }
  };
  const auto answer = [](auto x, auto h, auto y, auto) { convolve_clamped(x, h, y); };
  CHECK(summary(overrun_failures<float>(answer, {.modes = {convolution_mode::same}},
                                        on_host<float>(formula))) == "");
  CHECK(summary(convolution_failures<float>(on_device<float>(answer), {.modes = {convolution_mode::same}},
                                            on_host<float>(formula))) == "");
}

TEST_CASE("one thread for each output") {
  const device_buffer<float> x(random_signal<float>(1000)), h(random_taps<float>(5));
  device_buffer<float> y(1000);
  const auto launches = count_launches([&] { convolve_clamped(x, h, y); });
  if (!has_counts(launches)) return;
  require_work_spread(launches, y.size());
}

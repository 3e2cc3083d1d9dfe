// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "common/files/numbers.hpp"
#include "one_phase_per_warp.hpp"

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

TEST_CASE("every output is right, whatever the lengths") {
  for (const std::size_t samples : {1, 2, 31, 32, 33, 63, 64, 65, 1000})
    for (const std::size_t taps : {4, 8, 12, 128, 256}) {
      const auto x = random_whole_numbers<float>(samples, 1), h = random_whole_numbers<float>(taps, 2);
      std::vector<float> expected(4 * samples);
      for (std::size_t n = 0; n < 4 * samples; ++n)
        for (std::size_t k = 0; k < taps / 4 && k <= n / 4; ++k)
          expected[n] += h[4 * k + n % 4] * x[n / 4 - k];
      const device_buffer<float> d_x(x), d_h(h);
      device_buffer<float> y(4 * samples);
      interpolate_by_four(d_x, d_h, y);
      check(cudaDeviceSynchronize());
      const agreement result = compare<float>(y.to_host(), expected);
      REQUIRE_MESSAGE(bool(result), several(samples, "sample"), ", ", several(taps, "tap"), ": ",
                      describe(result));
    }
}

TEST_CASE("nothing is written behind the last output") {
  constexpr std::size_t samples = 100, margin = 1024;
  const device_buffer<float> x(random_signal<float>(samples)), h(random_taps<float>(12));
  device_buffer<float> y(4 * samples + margin);  // NaN everywhere
  interpolate_by_four(x, h, y.span().subspan(0, 4 * samples));
  const std::vector<float> result = y.to_host();
  CHECK_MESSAGE(
      std::all_of(result.begin() + 4 * samples, result.end(), [](float value) { return std::isnan(value); }),
      "100 samples: something was written behind y[399]");
}

TEST_CASE("all lanes of a warp want the same tap") {
  const device_buffer<float> x(random_signal<float>(1000)), h(random_taps<float>(64));
  device_buffer<float> y(4000);
  const auto launches = count_launches([&] { interpolate_by_four(x, h, y); });
  if (!has_counts(launches)) return;
  const launch_counts counts = sum(launches);
  require_work_spread(launches, y.size(), 4);
  CHECK_MESSAGE(counts.constant_requests > 0, "nothing was read from constant memory");
  CHECK_MESSAGE(counts.constant_addresses == counts.constant_requests, "the lanes of a warp asked for ",
                counts.constant_addresses, " different taps in ",
                several(counts.constant_requests, "request"),
                ": where all want the same one, it is one in each",
                std::string(counts.constant_addresses == 4 * counts.constant_requests
                                ? ". It is as if each warp had outputs of all four phases: "
                                  "n % 4 should be the same in all its lanes"
                                : ""));
  require_lanes_together(counts.constant_loads, counts.constant_requests, "load", " from constant memory");
}

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "common/files/numbers.hpp"
#include "two_filters.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "common/device/check.hpp"
#include "common/verify/case_at_work.hpp"
#include "common/verify/compare.hpp"
#include "common/verify/counted_check.hpp"
#include "common/verify/inputs.hpp"
#include "common/verify/work_spread.hpp"

using namespace tutorial;

namespace {

// The first `outputs` of the full convolution, and zeros behind it. Whole numbers: their sums are exact.
std::vector<float> expected(const std::vector<float>& x, const std::vector<float>& h, std::size_t outputs) {
  std::vector<float> y(outputs);
  for (std::size_t m = 0; m < x.size(); ++m)
    for (std::size_t k = 0; k < h.size(); ++k) y[m + k] += h[k] * x[m];
  return y;
}

}  // namespace

TEST_CASE("both outputs are right, whatever the lengths") {
  for (const std::size_t samples : {1, 2, 31, 33, 255, 256, 257, 1000})
    for (const auto& lengths : std::vector<std::pair<std::size_t, std::size_t>>{
             {5, 5}, {1, 1}, {2, 7}, {7, 2}, {32, 31}, {1, 64}, {64, 1}, {64, 64}}) {
      const std::size_t h_taps = lengths.first, g_taps = lengths.second;
      const auto x = random_whole_numbers<float>(samples, 1), h = random_whole_numbers<float>(h_taps, 2),
                 g = random_whole_numbers<float>(g_taps, 3);
      const case_at_work given(several(samples, "sample") + ", h of " + std::to_string(h_taps) +
                               " and g of " + several(g_taps, "tap"));
      const std::size_t outputs = samples + std::max(h_taps, g_taps) - 1;
      const device_buffer<float> d_x(x), d_h(h), d_g(g);
      device_buffer<float> y(outputs), z(outputs);
      convolve_two(d_x, d_h, d_g, y, z);
      check(cudaDeviceSynchronize());
      const agreement first = compare<float>(y.to_host(), expected(x, h, outputs));
      const agreement second = compare<float>(z.to_host(), expected(x, g, outputs));
      REQUIRE_MESSAGE(bool(first), case_at_work::given(), ", y: ", describe(first));
      REQUIRE_MESSAGE(bool(second), case_at_work::given(), ", z: ", describe(second));
    }
}

TEST_CASE("two filters, but each sample is loaded only as often as for the longer one") {
  const device_buffer<float> x(random_signal<float>(1000)), h(random_taps<float>(31, 2)),
      g(random_taps<float>(17, 3));
  device_buffer<float> y(1030), z(1030);
  const auto launches = count_launches([&] { convolve_two(x, h, g, y, z); });
  if (!has_counts(launches)) return;
  const launch_counts counts = sum(launches);
  require_work_spread(launches, y.size());
  REQUIRE_MESSAGE(counts.global_loads == 1000 * 31, several(counts.global_loads, "load"),
                  "; 31 for each of 1000 samples are 31000");
  REQUIRE_MESSAGE(counts.constant_loads == 1000 * (31 + 17), several(counts.constant_loads, "load"),
                  " from constant memory; 31 and 17 for each of 1000 samples are 48000");
  REQUIRE_MESSAGE(counts.constant_addresses == counts.constant_requests, counts.constant_addresses,
                  " addresses in ", several(counts.constant_requests, "request"),
                  ": the lanes want different taps");
}

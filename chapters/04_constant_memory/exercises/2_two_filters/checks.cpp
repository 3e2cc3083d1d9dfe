// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "two_filters.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "common/device/check.hpp"
#include "common/verify/compare.hpp"
#include "common/verify/counted_check.hpp"
#include "common/verify/inputs.hpp"

using namespace tutorial;

namespace {

// Whole numbers: their sums are exact.
std::vector<float> full(const std::vector<float>& x, const std::vector<float>& h) {
  std::vector<float> y(x.size() + h.size() - 1);
  for (std::size_t m = 0; m < x.size(); ++m)
    for (std::size_t k = 0; k < h.size(); ++k) y[m + k] += h[k] * x[m];
  return y;
}

}  // namespace

TEST_CASE("both outputs are right, whatever the lengths") {
  for (const std::size_t samples : {1, 2, 31, 33, 255, 256, 257, 1000})
    for (const std::size_t taps : {1, 2, 5, 32, 63, 64}) {
      const auto x = random_whole_numbers<float>(samples, 1), h = random_whole_numbers<float>(taps, 2),
                 g = random_whole_numbers<float>(taps, 3);
      const device_buffer<float> d_x(x), d_h(h), d_g(g);
      device_buffer<float> y(samples + taps - 1), z(samples + taps - 1);
      convolve_two(d_x, d_h, d_g, y, z);
      check(cudaDeviceSynchronize());
      const agreement first = compare<float>(y.to_host(), full(x, h));
      const agreement second = compare<float>(z.to_host(), full(x, g));
      REQUIRE_MESSAGE(bool(first), samples, " samples, ", taps, " taps, y: ", describe(first));
      REQUIRE_MESSAGE(bool(second), samples, " samples, ", taps, " taps, z: ", describe(second));
    }
}

TEST_CASE("two filters, but each sample is loaded only as often as for one") {
  const device_buffer<float> x(random_signal<float>(1000)), h(random_taps<float>(31, 2)),
      g(random_taps<float>(31, 3));
  device_buffer<float> y(1030), z(1030);
  const auto launches = count_launches([&] { convolve_two(x, h, g, y, z); });
  if (!has_counts(launches)) return;
  const launch_counts counts = sum(launches);
  CHECK(counts.global_loads == 1000 * 31);
  CHECK(counts.constant_loads == 2 * 1000 * 31);
  CHECK(counts.constant_addresses == counts.constant_requests);
}

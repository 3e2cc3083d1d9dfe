// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "coalesced.hpp"

#include <doctest/doctest.h>

#include "01_serial_definition/convolution_checks.hpp"
#include "common/verify/counted_check.hpp"
#include "common/verify/inputs.hpp"

using namespace tutorial;

TEST_CASE("it computes the definition") {
  const auto answer = [](auto x, auto h, auto y, auto) { convolve_eight(x, h, y); };
  CHECK(summary(overrun_failures<float>(answer, {.tile = 2048, .modes = {convolution_mode::full}})) == "");
  CHECK(summary(convolution_failures<float>(on_device<float>(answer),
                                            {.tile = 2048, .modes = {convolution_mode::full}})) == "");
}

TEST_CASE("a warp's stores fill whole sectors, with an eighth of the threads") {
  const device_buffer<float> x(random_signal<float>(8192 - 4)), h(random_taps<float>(5));
  device_buffer<float> y(8192);
  const auto launches = count_launches([&] { convolve_eight(x, h, y); });
  if (!has_counts(launches)) return;
  const launch_counts counts = sum(launches);
  CHECK(counts.threads == 8192 / 8);
  CHECK(counts.global_store_requests == 8192 / 32);
  CHECK(counts.global_store_sectors ==
        4 * counts.global_store_requests);  // 32 floats side by side are 4 sectors
}

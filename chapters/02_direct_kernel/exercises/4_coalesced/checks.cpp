// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "coalesced.hpp"

#include <doctest/doctest.h>

#include "01_serial_definition/convolution_checks.hpp"
#include "common/files/numbers.hpp"
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
  REQUIRE_MESSAGE(counts.threads == 8192 / 8, several(counts.threads, "thread"),
                  " were started; 8192 outputs, eight to a thread, take 1024");
  REQUIRE_MESSAGE(counts.global_store_requests == 8192 / 32, counts.global_store_requests,
                  " store requests were made; 8192 outputs, 32 to a warp's store, take 256");
  const auto fewest = 4 * counts.global_store_requests;  // 32 floats side by side are 4 sectors
  REQUIRE_MESSAGE(counts.global_store_sectors == fewest, "the stores touched ",
                  several(counts.global_store_sectors, "sector"),
                  "; where neighboring threads store neighboring outputs, it is ", fewest);
}

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "common/device/check.hpp"
#include "exchange.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "common/verify/counted_check.hpp"
#include "common/verify/inputs.hpp"

using namespace tutorial;

TEST_CASE("every number arrives") {
  const std::vector<float> x = ramp<float>(256);
  const device_buffer<float> d_x(x);
  device_buffer<float> d_y(std::size_t{256});
  exchange_in_a_warp(d_x, d_y);
  check(cudaDeviceSynchronize());
  const std::vector<float> y = d_y.to_host();
  for (std::size_t p = 0; p < 256; ++p)
    REQUIRE_MESSAGE(y[p] == x[p], "lane ", p / 8, " should have taken number ", p, " as its number ", p % 8,
                    ", and has taken number ", y[p]);
}

TEST_CASE("the target: a wavefront for each request") {
  const device_buffer<float> x(ramp<float>(256));
  device_buffer<float> y(std::size_t{256});
  const auto launches = count_launches([&] { exchange_in_a_warp(x, y); });
  if (!has_counts(launches)) return;
  const launch_counts counts = sum(launches);
  CHECK_MESSAGE(
      counts.global_load_sectors == 32, counts.global_load_sectors,
      " sectors of x are loaded, and 32 are enough: lane u loads the numbers u + 32 k, which it puts");
  CHECK_MESSAGE(
      counts.global_store_sectors > 32, counts.global_store_sectors,
      " sectors of y are stored, as if lane u had taken the numbers u + 32 k again: it is to take 8 u + k");
  CHECK_MESSAGE(counts.shared_store_requests == 8, counts.shared_store_requests,
                " requests that put; 8 are enough, one for each k");
  CHECK_MESSAGE(counts.shared_load_requests == 8, counts.shared_load_requests,
                " requests that take; 8 are enough, one for each k");
  CHECK_MESSAGE(
      counts.shared_store_wavefronts == 8, counts.shared_store_wavefronts,
      " wavefronts for 8 requests that put: in which banks does place() put the numbers u and u + 1 of "
      "one k?");
  CHECK_MESSAGE(
      counts.shared_load_wavefronts == 8, counts.shared_load_wavefronts,
      " wavefronts for 8 requests that take: in which banks does place() put the numbers 8 u of all lanes?",
      std::string(counts.shared_load_wavefronts == 64
                      ? " That is as many as without gaps, where they are in banks 0, 8, 16 and 24"
                      : ""));
}

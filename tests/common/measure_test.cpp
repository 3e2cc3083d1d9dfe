// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <chrono>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <thread>

#include "common/device/clock_rate.hpp"
#include "common/device/device.hpp"
#include "common/device/limits.hpp"
#include "common/device/measure.hpp"
#include "common/files/numbers.hpp"

using namespace tutorial;

TEST_CASE("median of odd and even counts, of none, and with NaN") {
  CHECK(median({3}) == 3);
  CHECK(median({5, 1, 3}) == 3);
  CHECK(median({4, 1, 3, 2}) == 2.5);
  CHECK(median({2, 1}) == 1.5);
  CHECK(median({1e308, 1.5e308}) == doctest::Approx(1.25e308));
  CHECK(median({7, 7, 7, 1}) == 7);
  CHECK_THROWS_AS(median({}), std::invalid_argument);
  CHECK_THROWS_AS(median({1, std::numeric_limits<double>::quiet_NaN(), 3}), std::invalid_argument);
}

TEST_CASE("measure_host: odd number of repeats, the time is per call, every call has its number") {
  int expected = 0;
  bool in_order = true;
  const timing time = measure_host(
      [&](int i) {
        in_order = in_order && i == expected++;
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
      },
      {.group_ms = 24, .repeats = 4});
  CHECK(in_order);
  CHECK(time.repeats == 5);
  CHECK(time.min_ms >= 2);
  CHECK(time.min_ms <= time.median_ms);
  CHECK(time.median_ms <= time.max_ms);
  CHECK(time.min_ms < 8);  // a group of about ten calls was divided by their number
}

TEST_CASE("measure_host: slow calls are repeated less often") {
  int calls = 0;
  const timing time = measure_host([&](int) {
    ++calls;
    std::this_thread::sleep_for(std::chrono::milliseconds(210));
  });
  CHECK(time.repeats == 3);
  CHECK(calls == 4);
}

TEST_CASE("measure: on the device") {
  int calls = 0;
  const timing time = measure([&](int) { ++calls; }, {.group_ms = 0.01, .repeats = 3});
  CHECK(time.repeats % 2 == 1);
  CHECK(calls >= time.repeats);
  if (current_device().emulated) CHECK(calls == 1);
  CHECK(buffer_sets(1 << 30) >= 1);
  CHECK(buffer_sets(1) <= 64);
  CHECK(buffer_sets(0) == 1);
}

TEST_CASE("the clock: cycles per time, of multiprocessors that have two readings") {
  const std::vector<clock_reading> first = {{7, 1000, 50}, {2, 0, 50}, {5, 100, 60}};
  CHECK(megahertz_between(first, {{2, 3000, 1050}, {7, 3000, 1050}, {9, 1, 2}}) == 2500);  // 3000 and 2000
  CHECK(megahertz_between(first, {{5, 1600, 1060}, {2, 3000, 50}}) == 1500);  // no time has gone by for 2
  CHECK(megahertz_between(first, {{9, 1, 2}}) == 0);
  clock_rate clock;
  clock.begin();
  measure([](int) {}, {.group_ms = 1, .repeats = 3});
  const double rate = clock.end_megahertz();
  if (current_device().emulated)
    CHECK(rate == 0);
  else
    CHECK((rate > 100 && rate < 5000));
}

TEST_CASE("limits: every kernel of the ruler runs") {
  const copy_limit_result copy = copy_limit(100'001);  // no multiple of 16
  CHECK(copy.bytes_per_second > 0);
  CHECK((copy.by == "kernel" || copy.by == "cudaMemcpyAsync"));
  CHECK(fma_limit<float>() > 0);
  CHECK(fma_limit<double>() > 0);
  CHECK(fma_limit<std::int32_t>() > 0);
  CHECK(tensor_limit<float>() > 0);
  CHECK(tensor_limit<double>() > 0);
  const host_link_result link = host_link(1 << 16);
  CHECK(link.pageable_to_device > 0);
  CHECK(link.pinned_to_host > 0);
  const launch_cost_result cost = launch_cost();
  CHECK(cost.back_to_back_us > 0);
  CHECK(cost.round_trip_us > 0);
}

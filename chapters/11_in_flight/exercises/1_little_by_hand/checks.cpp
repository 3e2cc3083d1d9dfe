// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "little_by_hand.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

using namespace tutorial;
using device = round_device;

namespace {

constexpr double full_speed_bytes = device::latency_ns * device::bytes_per_ns;
/// Bytes under way on the device: warps of a multiprocessor, bytes of each of their threads.
constexpr double under_way(double warps, double bytes) {
  return device::multiprocessors * warps * device::lanes_per_warp * bytes;
}

/// A thousandth off is near: you may round.
bool near(double answer, double expected) { return std::abs(answer - expected) <= 1e-3 * expected; }

}  // namespace

TEST_CASE("bytes that must be under way") {
  CHECK_MESSAGE(
      near(bytes_to_keep_under_way(), full_speed_bytes), "bytes_to_keep_under_way() gives ",
      bytes_to_keep_under_way(),
      " bytes. Each ns, as many bytes set out as arrive. How many set out while one load is on its way?");
}

TEST_CASE("the speed of few warps") {
  const double expected = under_way(8, 4) / device::latency_ns;
  CHECK_MESSAGE(near(bytes_per_ns_of_8_warps(), expected), "bytes_per_ns_of_8_warps() gives ",
                bytes_per_ns_of_8_warps(),
                " bytes per ns. Count what all multiprocessors have under way, then divide by the latency.");
}

TEST_CASE("more loads in each thread") {
  const int expected = static_cast<int>(std::ceil(full_speed_bytes / under_way(8, 4)));
  const bool right = loads_per_thread_for_full_speed() == expected;
  const int loads = loads_per_thread_for_full_speed();
  CHECK_MESSAGE(
      right, "loads_per_thread_for_full_speed() gives ", loads, ". Under way are ", under_way(8, 4.0 * loads),
      " bytes then",
      std::string(
          loads < expected
              ? ", fewer than bytes_to_keep_under_way() should give: too few loads"
              : ", and one load fewer in each thread would still keep enough under way: too many loads"));
}

TEST_CASE("more than memory gives") {
  const double law = under_way(64, 16) / device::latency_ns;
  CHECK_MESSAGE(near(bytes_per_ns_that_the_law_allows(), law), "bytes_per_ns_that_the_law_allows() gives ",
                bytes_per_ns_that_the_law_allows(), " bytes per ns. The law knows only bytes and latency.");
  CHECK_MESSAGE(near(bytes_per_ns_that_are_read(), std::min(law, device::bytes_per_ns)),
                "bytes_per_ns_that_are_read() gives ", bytes_per_ns_that_are_read(),
                " bytes per ns. Which of two limits holds?");
}

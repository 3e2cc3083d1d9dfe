// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "common/files/numbers.hpp"
#include "wide_window.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <stdexcept>
#include <string>

#include "05_shared_memory/dynamic_shared.hpp"
#include "common/device/check.hpp"
#include "common/verify/case_at_work.hpp"
#include "common/verify/compare.hpp"
#include "common/verify/counted_check.hpp"
#include "common/verify/inputs.hpp"
#include "common/verify/work_spread.hpp"

using namespace tutorial;

namespace {

/// The largest radius for which a block has room.
std::size_t widest() { return (limits_of_shared_memory().asked / sizeof(float) - 256) / 2; }

void check_sums(std::size_t radius, std::size_t samples = 300) {
  const std::vector<float> x = random_whole_numbers<float>(samples, 1);
  std::vector<float> expected(x.size());
  const auto size = std::ssize(x), r = std::ptrdiff_t(radius);
  for (std::ptrdiff_t i = 0; i < size; ++i)
    for (std::ptrdiff_t m = std::max<std::ptrdiff_t>(i - r, 0); m <= std::min(i + r, size - 1); ++m)
      expected[std::size_t(i)] += x[std::size_t(m)];
  poison_shared_memory();
  const device_buffer<float> d_x(x);
  device_buffer<float> d_y(x.size());
  window_sums(d_x, d_y, radius);
  check(cudaDeviceSynchronize());
  const agreement result = compare<float>(d_y.to_host(), expected);
  CHECK_MESSAGE(bool(result), several(samples, "sample"), ", radius ", radius, ": ", describe(result));
}

}  // namespace

TEST_CASE("windows whose tile fits in 48 KiB") {
  for (const std::size_t radius : {0, 1, 100, 6016}) check_sums(radius);
}

TEST_CASE("windows that need more") {
  for (const std::size_t radius : {6017, 7000}) check_sums(radius);
}

TEST_CASE("the widest window that a block has room for") {
  const case_at_work now("a radius of " + std::to_string(widest()) + ", which takes all " +
                         std::to_string(limits_of_shared_memory().asked) + " bytes that a block may have");
  check_sums(widest(), 3);
}

TEST_CASE("a window that is too wide is refused before anything is launched") {
  const device_buffer<float> x(random_signal<float>(300));
  device_buffer<float> y(300);
  const std::size_t most = widest();
  const std::string what =
      "A radius of " + std::to_string(most + 1) +
      " needs more shared memory than a block may have: window_sums() should throw std::invalid_argument";
  std::string instead = ", but it threw nothing";
  try {
    window_sums(x, y, most + 1);
  } catch (const std::invalid_argument&) {
    instead.clear();
  } catch (const cuda_error& error) {
    instead = std::string(" itself, and not ask the device.\nIt threw cuda_error: ") + error.what();
  } catch (const std::exception& error) {
    instead = std::string(".\nIt threw another exception: ") + error.what();
  }
  CHECK_MESSAGE(instead.empty(), what, instead);
  std::string error_of_next;
  try {
    window_sums(x, y, most / 2);
  } catch (const std::exception& error) {
    error_of_next = error.what();
  }
  CHECK_MESSAGE(error_of_next.empty(), "after that a radius of ", most / 2,
                ", which is allowed, ended with an error:\n", error_of_next);
}

TEST_CASE("a block loads each sample once, however wide the window is") {
  const device_buffer<float> x(random_signal<float>(300));
  device_buffer<float> y(300);
  const auto launches = count_launches([&] { window_sums(x, y, 7000); });
  if (!has_counts(launches)) return;
  require_work_spread(launches, y.size());
  const std::uint64_t loads = sum(launches).global_loads;
  REQUIRE_MESSAGE(double(loads) <= 300 * blocks(launches),
                  "300 samples, radius 7000: ", several(loads, "load"), " by ", blocks(launches),
                  " blocks, which need 300 samples each: is the tile in shared memory?");
}

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "15_many_gpus/checks/broken.hpp"
#include "15_many_gpus/checks/spread_checks.hpp"
#include "common/verify/counted_check.hpp"

using namespace tutorial;
using broken::spread_mistake;

namespace {

std::string refused(spread_mistake made) {
  const std::vector<int> devices = devices_in_turn(5);
  return lines(spread_failures<std::int32_t>(
      [made](auto& signal, int steps) { broken::filter_spread(made, signal, steps); }, devices));
}

}  // namespace

TEST_CASE("the checks refuse what is wrong on purpose") {
  using enum spread_mistake;
  CHECK(refused(none) == "");
  CHECK(refused(halo_one_short) != "");
  CHECK(refused(left_only) != "");
  CHECK(refused(nearest_only) != "");
  CHECK(refused(last_forgotten) != "");
  CHECK(refused(exchanged_once) != "");
  CHECK(refused(wrong_buffer) != "");
}

// Whether such a mistake changes an output depends on the schedule, and on a GPU some never end. The emulated
// device names it, and ends the program that made it, so each runs in a process of its own.
TEST_CASE("the emulated device names what nothing orders, and ranks that never meet") {
  if (!has_counts(count_launches([] { broken::wrong_outputs(spread_mistake::none); }))) return;
  std::vector<broken::shown_mistake> all = broken::shown_spread_mistakes();
  if (device_count() > 1) {  // flags and NCCL have something to do
    for (broken::shown_mistake& each : broken::shown_flag_mistakes()) all.push_back(each);
    for (broken::shown_mistake& each : broken::shown_nccl_mistakes()) all.push_back(each);
    CHECK(broken::wrong_by_flags(broken::flag_mistake::none) == 0);
  }
  CHECK(broken::not_named(all, "") == "");
  CHECK(broken::wrong_outputs(spread_mistake::none) == 0);
}

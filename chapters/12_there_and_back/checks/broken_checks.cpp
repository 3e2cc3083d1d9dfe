// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "01_serial_definition/convolution_checks.hpp"
#include "12_there_and_back/checks/broken.hpp"
#include "common/verify/counted_check.hpp"

using namespace tutorial;
using broken::journey_mistake;

namespace {

std::vector<std::string> refused(journey_mistake made) {
  return convolution_failures<float>(on_host<float>([made](auto x, auto h, auto y, auto mode) {
                                       broken::convolve_there_and_back(made, x, h, y, mode);
                                     }),
                                     {.tile = 64, .most_failures = 3});
}

}  // namespace

TEST_CASE("the checks refuse journeys that are wrong on purpose") {
  using enum journey_mistake;
  CHECK(summary(refused(none)) == "");
  CHECK(refused(no_history) != std::vector<std::string>());
  CHECK(refused(history_one_short) != std::vector<std::string>());
  CHECK(refused(ghosts_not_zero) != std::vector<std::string>());
  CHECK(refused(short_chunk_first) != std::vector<std::string>());
}

// Whether such a mistake changes an output depends on the schedule. The emulated device names it, and ends
// the program that made it, so each runs in a process of its own.
TEST_CASE("the emulated device names what nothing orders") {
  if (!has_counts(count_launches([] { broken::wrong_outputs(journey_mistake::none); }))) return;
  CHECK(broken::not_named(broken::shown_journey_mistakes(), "", "Missing: ") == "");
  CHECK(broken::wrong_outputs(journey_mistake::none) == 0);
}

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "06_register_tiling/offset_checks.hpp"
#include "broken.hpp"
#include "common/verify/counted_check.hpp"

using namespace tutorial;
using broken::mistake;

namespace {

/// Some tiles and a part of one, in each mode.
std::vector<std::string> refused(mistake made) {
  const device_convolution<float> f = [made](auto x, auto h, auto y, auto mode) {
    broken::convolve<float>(made, x, h, y, mode);
  };
  return offset_failures<float>(f, {{200, 5, 0, 0, convolution_mode::full},
                                    {301, 33, 0, 0, convolution_mode::same},
                                    {33, 8, 0, 1, convolution_mode::valid}});
}

}  // namespace

TEST_CASE("the checks refuse rings that are wrong on purpose") {
  CHECK(summary(refused(mistake::none)) == "");
  CHECK(summary(refused(mistake::none_bulk)) == "");
  CHECK(refused(mistake::every_second_tile).size() > 0);
  CHECK(refused(mistake::halo_left_out).size() > 0);
  CHECK(refused(mistake::last_tile_not_cut).size() > 0);
  const std::vector<std::string> shifted = refused(mistake::source_not_shifted);
  CHECK(shifted.size() == 2);  // full is right
}

TEST_CASE("the checks refuse fast FIR that is wrong on purpose") {
  CHECK(summary(refused(mistake::none_fast)) == "");
  CHECK(refused(mistake::odd_of_this_pair).size() == 3);
  CHECK(refused(mistake::odd_not_subtracted).size() == 3);
  CHECK(refused(mistake::both_is_even).size() == 3);
  CHECK(refused(mistake::last_tap_left_out).size() == 2);  // 8 taps are whole pairs
}

// Whether such a mistake changes a result depends on when the copies land. The emulated device sees the
// mistake itself. It ends the program that made it, so each runs in a process of its own.
TEST_CASE("the emulated device names what a result may not show") {
  if (!has_counts(count_launches([] { broken::wrong_outputs(mistake::none); }))) return;
  CHECK(broken::not_named(broken::shown_mistakes()) == "");
}

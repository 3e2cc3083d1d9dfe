// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cstdint>
#include <stdexcept>

#include "01_serial_definition/convolution_checks.hpp"
#include "broken.hpp"
#include "common/device.hpp"
#include "convolve_direct.hpp"

using namespace tutorial;

namespace {

const auto direct = [](auto x, auto h, auto y, auto mode) { convolve_direct(x, h, y, mode); };
const auto grouped = [](auto x, auto h, auto y, auto mode) { convolve_direct_grouped(x, h, y, mode); };

template <class T>
std::vector<std::string> failures_of(broken::mistake made) {
  return convolution_failures<T>(
      on_device<T>([made](auto x, auto h, auto y, auto mode) { broken::convolve(made, x, h, y, mode); }));
}

}  // namespace

TEST_CASE_TEMPLATE("the direct kernel computes the definition", T, std::int32_t, float, double) {
  CHECK(summary(convolution_failures<T>(on_device<T>(direct), {.tile = 256})) == "");
}

TEST_CASE_TEMPLATE("eight outputs per thread compute the definition", T, std::int32_t, float, double) {
  CHECK(summary(convolution_failures<T>(on_device<T>(grouped), {.tile = 2048})) == "");
}

TEST_CASE("int32 sums wrap modulo 2^32") {
  const std::vector<std::int32_t> x{2147483647, 1}, h{2, 3};
  CHECK(on_device<std::int32_t>(direct)(x, h, convolution_mode::full) ==
        std::vector<std::int32_t>{-2, 2147483647, 3});
}

TEST_CASE("no samples, no taps and an output of the wrong length are refused before anything is launched") {
  const device_buffer<float> some(std::vector<float>{1, 2, 3}), none;
  device_buffer<float> y(5), short_y(4);
  const auto full = convolution_mode::full;
  CHECK_THROWS_AS(convolve_direct<float>(none, some, y, full), std::invalid_argument);
  CHECK_THROWS_AS(convolve_direct<float>(some, none, y, full), std::invalid_argument);
  CHECK_THROWS_AS(convolve_direct<float>(some, some, short_y, full), std::invalid_argument);
  CHECK_THROWS_AS(convolve_direct_grouped<float>(some, some, short_y, full), std::invalid_argument);
}

TEST_CASE_TEMPLATE("the checks refuse what is wrong on purpose", T, std::int32_t, float, double) {
  using broken::mistake;
  CHECK(summary(failures_of<T>(mistake::none)) ==
        "");  // so it is the mistake that is refused, not the kernel
  CHECK(failures_of<T>(mistake::not_flipped).size() > 0);
  CHECK(failures_of<T>(mistake::first_tap_lost).size() > 0);
  CHECK(failures_of<T>(mistake::last_tap_lost).size() > 0);
  CHECK(failures_of<T>(mistake::ghosts_not_zero).size() > 0);
  CHECK(failures_of<T>(mistake::same_rounded_up).size() > 0);
  CHECK(failures_of<T>(mistake::grid_rounded_down).size() > 0);
  if constexpr (!std::is_same_v<T, float>) CHECK(failures_of<T>(mistake::sum_in_float).size() > 0);
}

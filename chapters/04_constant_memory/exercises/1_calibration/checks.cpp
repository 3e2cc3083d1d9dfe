// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "calibration.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/device/check.hpp"
#include "common/files/numbers.hpp"
#include "common/verify/case_at_work.hpp"
#include "common/verify/compare.hpp"
#include "common/verify/counted_check.hpp"
#include "common/verify/inputs.hpp"
#include "common/verify/work_spread.hpp"

using namespace tutorial;

namespace {

// Whole numbers of at most 2, and coefficients of at most 8: all values are exact in float, in any order.
agreement calibrated(const std::vector<float>& x, const std::vector<float>& c) {
  std::vector<float> expected;
  for (const float reading : x) {
    double value = 0, power = 1;
    for (const float one : c) value += one * power, power *= reading;
    expected.push_back(float(value));
  }
  const device_buffer<float> d_x(x);
  device_buffer<float> d_y(x.size());
  calibrate(d_x, c, d_y);
  check(cudaDeviceSynchronize());
  return compare<float>(d_y.to_host(), expected);
}

}  // namespace

TEST_CASE("y = 5 - 2 x + x^2") {
  const agreement result = calibrated({0, 1, 2, -1, -2, 3}, {5, -2, 1});  // 5 4 5 8 13 8
  REQUIRE_MESSAGE(bool(result), "for the readings 0, 1, 2, -1, -2, 3: ", describe(result));
}

TEST_CASE("any number of readings, any curve that fits, one after the other") {
  for (const std::size_t readings : {1, 2, 31, 32, 33, 255, 256, 257, 1000})
    for (const std::size_t coefficients : {16, 1, 2, 3, 8, 15}) {
      const agreement result = calibrated(random_whole_numbers<float>(readings, readings, 2),
                                          random_whole_numbers<float>(coefficients, coefficients));
      REQUIRE_MESSAGE(bool(result), several(readings, "reading"), ", ", several(coefficients, "coefficient"),
                      ": ", describe(result));
    }
}

TEST_CASE("nothing is written behind the last reading") {
  const device_buffer<float> x(random_signal<float>(300));
  device_buffer<float> y(300 + 512);  // NaN everywhere
  calibrate(x, std::vector<float>{1, 2}, y.span().subspan(0, 300));
  const std::vector<float> result = y.to_host();
  CHECK_MESSAGE(
      std::all_of(result.begin() + 300, result.end(), [](float value) { return std::isnan(value); }),
      "300 readings: something was written behind y[299]");
}

TEST_CASE("a curve that does not fit is refused") {
  const device_buffer<float> x(random_signal<float>(10));
  device_buffer<float> y(10);
  const case_at_work now(several(most_coefficients + 1, "coefficient") + ", of which " +
                         std::to_string(most_coefficients) + " fit: calibrate() should throw");
  std::string instead = "but it threw nothing";
  try {
    calibrate(x, std::vector<float>(most_coefficients + 1, 1.0f), y);
  } catch (const std::invalid_argument&) {
    instead.clear();
  } catch (const cuda_error&) {
    instead = "but it threw cuda_error: a copy was refused, because the length was not checked first";
  }
  REQUIRE_MESSAGE(instead.empty(), several(most_coefficients + 1, "coefficient"), ", of which ",
                  most_coefficients, " fit: calibrate() should throw std::invalid_argument, ", instead);
}

TEST_CASE("a reading is loaded once, a result stored once, and all lanes want the same coefficient") {
  const device_buffer<float> x(random_signal<float>(1000));
  device_buffer<float> y(1000);
  const auto launches = count_launches([&] { calibrate(x, std::vector<float>(7, 1.0f), y); });
  if (!has_counts(launches)) return;
  const launch_counts counts = sum(launches);
  REQUIRE_MESSAGE(counts.global_loads == 1000, several(counts.global_loads, "load"),
                  " from global memory, of x and y together, for 1000 readings");
  require_work_spread(launches, 1000);
  REQUIRE_MESSAGE(counts.global_stores == 1000, several(counts.global_stores, "store"), " for 1000 results");
  REQUIRE_MESSAGE(counts.constant_loads == 7 * 1000, several(counts.constant_loads, "load"),
                  " from constant memory for 1000 readings and 7 coefficients");
  REQUIRE_MESSAGE(counts.constant_addresses == counts.constant_requests, counts.constant_addresses,
                  " addresses in ", several(counts.constant_requests, "request"),
                  ": the lanes want different coefficients");
}

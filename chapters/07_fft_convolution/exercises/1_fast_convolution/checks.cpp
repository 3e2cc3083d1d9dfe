// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "common/files/numbers.hpp"
#include "fast_convolution.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "01_serial_definition/convolution_checks.hpp"
#include "07_fft_convolution/host/fft_rounding.hpp"
#include "common/verify/counted_check.hpp"
#include "common/verify/inputs.hpp"
#include "common/verify/work_spread.hpp"

using namespace tutorial;

TEST_CASE("the transform is as long as it must be, and no longer") {
  const auto length = [](std::size_t samples, std::size_t taps) {
    const device_buffer<float> x(random_signal<float>(samples)), h(random_taps<float>(taps));
    device_buffer<float> y(samples + taps - 1);
    return convolve_by_transform(x, h, y);
  };
  const auto check_length = [&](std::size_t samples, std::size_t taps, int expected) {
    const int got = length(samples, taps);
    CHECK_MESSAGE(got == expected, several(samples, "sample"), ", ", several(taps, "tap"),
                  ": enough() should give ", expected, ", and it gives ", got);
  };
  SUBCASE("N + K - 1 is a power of two already") { check_length(1000, 25, 1024); }
  SUBCASE("one output more") { check_length(1000, 26, 2048); }
  SUBCASE("a short signal") { check_length(5, 4, 8); }
  SUBCASE("a single output: 2 at least") { check_length(1, 1, 2); }
}

TEST_CASE("an impulse gives the taps themselves") {
  const device_buffer<float> x(impulse<float>(5)), h(std::vector<float>{1, 2, 3, 4});
  device_buffer<float> y(8);
  const int length = convolve_by_transform(x, h, y);
  const std::vector<float> first = y.to_host();
  const float last = first[3];
  bool scaled = std::abs(last) > 1e-4f;  // else it is not the scale that is wrong
  for (int k = 0; k < 4; ++k)
    scaled &= std::abs(first[std::size_t(k)] - last / 4 * float(k + 1)) <= 1e-3f * std::abs(last);
  const auto rounded = [&](std::size_t k) { return std::round(1000 * first[k]) / 1000 + 0.0f; };
  REQUIRE_MESSAGE(scaled, "the taps are 1, 2, 3, 4, and so y[0] to y[3] should be, but they are ", rounded(0),
                  ", ", rounded(1), ", ", rounded(2), ", ", rounded(3),
                  ": is it the product of the spectra?");
  CHECK_MESSAGE(std::abs(last - 4) < 1e-4f, "y[3] should be the last tap, 4, but is "
                                                << last << ": " << last / 4
                                                << " times that. The transforms have length " << length);
}

TEST_CASE("it computes the definition") {
  convolution_cases cases{.modes = {convolution_mode::full}, .exact_on_whole_numbers = false};
  cases.rounding = [](double x, double h, double h_sum, std::size_t samples, std::size_t taps) {
    const double error = transform_error<float>(std::max<std::size_t>(2, std::bit_ceil(samples + taps - 1)));
    return (2 * error + 2 * double(std::numeric_limits<float>::epsilon())) * x * h + error * x * h_sum;
  };
  const auto answer = [](auto x, auto h, auto y, auto) { convolve_by_transform(x, h, y); };
  CHECK(summary(convolution_failures<float>(on_device<float>(answer), cases)) == "");
}

TEST_CASE("by transforms: far fewer loads than sums of products make") {
  const device_buffer<float> x(random_signal<float>(3000)), h(random_taps<float>(3000));
  device_buffer<float> y(5999);
  const auto launches = count_launches([&] { convolve_by_transform(x, h, y); });
  if (!has_counts(launches)) return;
  const launch_counts counts = sum(launches);
  const std::uint64_t loads = counts.global_loads + counts.shared_loads + counts.constant_loads;
  REQUIRE_MESSAGE(loads < 500000, "3000 samples, 3000 taps: ", several(loads, "load"),
                  ", as sums of products make them; transforms of 8192 make far fewer");
}

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "whole_numbers.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "01_serial_definition/convolve_serial.hpp"
#include "07_fft_convolution/host/fft_length.hpp"
#include "07_fft_convolution/kernels/convolve_fft.hpp"
#include "common/verify/case_at_work.hpp"
#include "common/verify/inputs.hpp"

using namespace tutorial;

TEST_CASE("small numbers may, large ones may not") {
  const std::size_t samples = 1 << 20, taps = 1025, length = good_fft_length(samples + taps - 1);
  const auto exact = [](double most, std::size_t n, std::size_t k, std::size_t transform) {
    return exact_in_double(most, most, n, k, transform);
  };
  for (const double most : {1, 255})
    CHECK_MESSAGE(exact(most, samples, taps, length), samples, " samples and ", taps, " taps, all up to ",
                  most, ": the result is exact, and exact_in_double() says it may not be");
  CHECK_MESSAGE(!exact(1e6, samples, taps, length), samples, " samples and ", taps,
                " taps, all up to 1e6: sums up to 1e15 fit into a double, but the ",
                "error may be above 1/2, and exact_in_double() says the result is exact");
  CHECK_MESSAGE(!exact(2147483647, 10, 3, 12),
                "10 samples and 3 taps, all up to 2147483647: a single product is ",
                "beyond 2^53, and exact_in_double() says the result is exact");
}

TEST_CASE("the limit is where the formula says") {
  // e_2 = (1 + 4 sqrt 2) 2^-53, ten stages. |x| <= 30 X, |h| <= 5 H, |h|_1 <= 25 H, 25 taps, 900 samples.
  const double u = 0x1p-53, e = 10 * (1 + 4 * std::sqrt(2.0)) * u;
  const double of_one = (2 * e + 4 * u) * 30 * 5 + e * 25 * 30;  // for X = H = 1
  const double most = std::floor(0.5 / of_one / 1000);
  const case_at_work given("900 samples, 25 taps, transforms of 1024");
  CHECK_MESSAGE(exact_in_double(most, 1000, 900, 25, 1024), "samples up to ", most,
                " and taps up to 1000 are within the bound");
  CHECK_MESSAGE(exact_in_double(1000, most, 900, 25, 1024), "samples up to 1000 and taps up to ", most,
                " are within the bound");
  CHECK_MESSAGE(!exact_in_double(most * 1.001, 1000, 900, 25, 1024), "samples up to ", most * 1.001,
                " and taps up to 1000 are beyond the bound");
  // The shorter of the two decides how many products a sum has, and which of them is called the filter.
  CHECK_MESSAGE(exact_in_double(1000, most, 25, 900, 1024), "25 samples up to 1000 and 900 taps up to ", most,
                " are within the bound: the shorter of the two decides how many products a sum has");
}

TEST_CASE("and it is true") {
  const auto x = random_whole_numbers<double>(3000, 1, 32767), h = random_whole_numbers<double>(70, 2, 32767);
  const std::size_t length = good_fft_length(3069);
  REQUIRE_MESSAGE(exact_in_double(32767, 32767, x.size(), h.size(), length),
                  "3000 samples and 70 taps, all up to ",
                  "32767: the result is exact, and exact_in_double() says it may not be");
  const device_buffer<double> d_x(x), d_h(h);
  device_buffer<double> d_y(3069);
  convolve_fft<double>(d_x, d_h, d_y, convolution_mode::full);
  std::vector<double> right(3069), y = d_y.to_host();
  convolve_gather<double>(x, h, right, convolution_mode::full);  // exact: all sums are below 2^53
  for (double& value : y) value = std::nearbyint(value);
  const bool same = y == right;
  CHECK_MESSAGE(same,
                "3000 samples and 70 taps, all up to 32767: the transforms, rounded, are not the exact sums");
}

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "common/files/numbers.hpp"
#include "find_the_echo.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "07_fft_convolution/host/fft_length.hpp"
#include "07_fft_convolution/host/fft_rounding.hpp"
#include "common/device/check.hpp"
#include "common/verify/compare.hpp"
#include "common/verify/counted_check.hpp"
#include "common/verify/inputs.hpp"
#include "common/verify/work_spread.hpp"

using namespace tutorial;

namespace {

std::vector<float> correlate(const std::vector<float>& x, const std::vector<float>& h) {
  const device_buffer<float> d_x(x), d_h(h);
  device_buffer<float> d_y(x.size() - h.size() + 1);
  correlate_by_transform(d_x, d_h, d_y);
  check(cudaDeviceSynchronize());
  return d_y.to_host();
}

double norm(const std::vector<float>& v) {
  return std::sqrt(std::inner_product(v.begin(), v.end(), v.begin(), 0.0));
}

/// Held against the definition, within the bound of fft_rounding.hpp, with |y| <= |x| |h|_1. (A pulse has the
/// same norms backwards.)
agreement correlated(const std::vector<float>& x, const std::vector<float>& h) {
  std::vector<float> expected(x.size() - h.size() + 1);
  for (std::size_t n = 0; n < expected.size(); ++n)
    expected[n] = float(std::inner_product(h.begin(), h.end(), x.begin() + std::ptrdiff_t(n), 0.0));
  double h_sum = 0;
  for (const float tap : h) h_sum += std::abs(tap);
  const double u = 0x1p-24, e = transform_error<float>(good_fft_length(x.size()));
  const double bound = (2 * e + 4 * u) * norm(x) * norm(h) + e * norm(x) * h_sum;
  // What is expected was rounded to float, too.
  return compare<float>(correlate(x, h), expected,
                        std::vector<double>(expected.size(), bound + u * norm(x) * norm(h)));
}

}  // namespace

TEST_CASE("a pulse of 1 and 2 in a recording of eight") {
  const agreement result = correlated({0, 0, 0, 1, 2, 0, 0, 3}, {1, 2});  // 0 0 2 5 2 0 6
  CHECK_MESSAGE(bool(result), describe(result));
}

TEST_CASE("an echo is found, 700 samples late") {
  std::vector<float> x = random_signal<float>(1500, 3);
  const std::vector<float> pulse = random_signal<float>(200, 4);
  for (std::size_t k = 0; k < pulse.size(); ++k) x[700 + k] += pulse[k];
  const std::vector<float> y = correlate(x, pulse);
  const auto at = std::max_element(y.begin(), y.end()) - y.begin();
  CHECK_MESSAGE(at == 700, "it was found at ", at);
}

TEST_CASE("the definition, for recordings and pulses of any length") {
  for (const std::size_t samples : {256, 1, 2, 3, 100, 127, 129, 250, 1000, 2048, 3001})
    for (const std::size_t taps : {7, 1, 2, 3, 31, 33, 100, 128, 129, 257, 3001}) {
      if (taps > samples) continue;
      const agreement result =
          correlated(random_signal<float>(samples, samples), random_signal<float>(taps, 5));
      REQUIRE_MESSAGE(bool(result), several(samples, "sample"), ", a pulse of ", taps, ": ",
                      describe(result));
    }
}

TEST_CASE("nothing but the outputs is written") {
  constexpr std::size_t samples = 300, taps = 40, outputs = samples - taps + 1, margin = 512;
  const device_buffer<float> x(random_signal<float>(samples)), h(random_signal<float>(taps, 2));
  device_buffer<float> y(margin + outputs + margin);  // NaN everywhere
  correlate_by_transform(x, h, y.span().subspan(margin, outputs));
  const std::vector<float> result = y.to_host();
  const auto is_nan = [](float value) { return std::isnan(value); };
  CHECK_MESSAGE(std::all_of(result.begin(), result.begin() + margin, is_nan),
                "something was written before y[0]");
  CHECK_MESSAGE(std::none_of(result.begin() + margin, result.end() - margin, is_nan),
                "an element of y was not written, or is NaN");
  CHECK_MESSAGE(std::all_of(result.end() - margin, result.end(), is_nan),
                "something was written behind the last element of y");
  CHECK_MESSAGE(x.to_host() == random_signal<float>(samples), "x, the recording, was changed");
  CHECK_MESSAGE(h.to_host() == random_signal<float>(taps, 2), "h, the pulse, was changed");
}

TEST_CASE("by transforms: far fewer loads than sums of products make") {
  const device_buffer<float> x(random_signal<float>(3000)), h(random_signal<float>(1500, 2));
  device_buffer<float> y(1501);
  const auto launches = count_launches([&] { correlate_by_transform(x, h, y); });
  if (!has_counts(launches)) return;
  const launch_counts counts = sum(launches);
  const std::uint64_t loads = counts.global_loads + counts.shared_loads + counts.constant_loads;
  REQUIRE_MESSAGE(loads < 200000, "3000 samples, a pulse of 1500: ", several(loads, "load"),
                  ", as sums of products make them; transforms of ", good_fft_length(3000),
                  " make far fewer");
}

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "find_the_faults.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "common/device/check.hpp"
#include "common/verify/compare.hpp"
#include "common/verify/inputs.hpp"

using namespace tutorial;

TEST_CASE("every output is the mean of five, also at both edges and at every length") {
  for (const std::size_t size : {512, 1, 2, 3, 4, 5, 511, 513, 1000, 10000}) {
    const std::vector<double> x = random_signal<double>(size, size);
    std::vector<double> expected(size), bound(size);
    for (std::ptrdiff_t i = 0; i < std::ssize(x); ++i) {
      double sum = 0, magnitude = 0;
      for (std::ptrdiff_t m = i - 2; m <= i + 2; ++m)
        if (0 <= m && m < std::ssize(x)) sum += x[m], magnitude += std::abs(x[m]);
      expected[i] = sum / 5;
      bound[i] = 6 * std::numeric_limits<double>::epsilon() * magnitude / 5;  // five sums and a division
    }
    const device_buffer<double> d_x(x);
    device_buffer<double> d_y(size);
    mean_of_five(d_x, d_y);
    check(cudaDeviceSynchronize());
    const agreement result = compare<double>(d_y.to_host(), expected, bound);
    REQUIRE_MESSAGE(bool(result), size, " samples: ", describe(result));
  }
}

TEST_CASE("what lies before and behind the samples is neither read nor written") {
  constexpr std::size_t size = 513, margin = 512;  // the margin is as wide as a block
  std::vector<double> surrounded(margin + size + margin, std::numeric_limits<double>::quiet_NaN());
  std::ranges::copy(random_signal<double>(size, 1), surrounded.begin() + margin);
  const device_buffer<double> d_x(surrounded);
  device_buffer<double> d_y(surrounded.size());  // NaN everywhere
  mean_of_five(d_x.span().subspan(margin, size), d_y.span().subspan(margin, size));
  check(cudaDeviceSynchronize());
  const std::vector<double> y = d_y.to_host();
  const auto numbers = [](auto begin, auto end) {
    return std::count_if(begin, end, [](double value) { return std::isfinite(value); });
  };
  CHECK_MESSAGE(numbers(y.begin() + margin, y.end() - margin) == size,
                "an output is no number: a sample that does not exist was read");
  CHECK_MESSAGE(numbers(y.begin(), y.begin() + margin) == 0, "something was written before the first output");
  CHECK_MESSAGE(numbers(y.end() - margin, y.end()) == 0, "something was written behind the last output");
}

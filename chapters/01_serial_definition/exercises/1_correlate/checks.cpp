// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "correlate.hpp"

#include <doctest/doctest.h>

#include <string>

#include "01_serial_definition/convolution_checks.hpp"
#include "01_serial_definition/convolve_serial.hpp"
#include "common/verify/as_if.hpp"
#include "common/verify/compare.hpp"

using namespace tutorial;

TEST_CASE("by hand: [1 2 3] slid under [1 10 100]") {
  // 1 10 100 and 1 2 3: the last tap meets the first sample first.
  const std::vector<float> x{1, 10, 100}, h{1, 2, 3};
  std::vector<float> y(5, -1.0f);
  correlate(x, h, y);
  const agreement result = compare<float>(y, {3, 32, 321, 210, 100});
  const std::string why = as_if<float>(
      y, {{"tap 0 met sample i for output i: it is the last tap that meets sample i", {321, 210, 100, 0, 0}},
          {"the taps were reversed, as in a convolution", {1, 12, 123, 230, 300}}});
  CHECK_MESSAGE(result, "x = [1 10 100], h = [1 2 3], y should be [3 32 321 210 100]: ", describe(result),
                why);
}

TEST_CASE("correlating is convolving with the reversed filter") {
  const auto expected = [](auto x, auto h, auto y, auto mode) {
    std::vector<float> flipped(h.rbegin(), h.rend());
    convolve_gather<float>(x, flipped, y, mode);
  };
  const auto answer = [](auto x, auto h, auto y, auto) { correlate(x, h, y); };
  CHECK(summary(convolution_failures<float>(on_host<float>(answer), {.modes = {convolution_mode::full}},
                                            on_host<float>(expected))) == "");
}

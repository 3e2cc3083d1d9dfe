// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "broken.hpp"
#include "common/verify/inputs.hpp"
#include "common/verify/vectors_in_checks.hpp"
#include "convolution_checks.hpp"
#include "convolve_serial.hpp"
#include "first_loops.hpp"

using namespace tutorial;

#define AS_FUNCTION(function) [](auto x, auto h, auto y, auto mode) { function(x, h, y, mode); }

TEST_CASE("the definition, by hand") {
  // [0 1 2 3] * [0 1 2]: full is [0 0 1 4 7 6], and the other modes are its middle.
  const std::vector<int> x{0, 1, 2, 3}, h{0, 1, 2};
  const auto convolve = on_host<int>(AS_FUNCTION(convolve_gather));
  CHECK(convolve(x, h, convolution_mode::full) == std::vector<int>{0, 0, 1, 4, 7, 6});
  CHECK(convolve(x, h, convolution_mode::same) == std::vector<int>{0, 1, 4, 7});
  CHECK(convolve(x, h, convolution_mode::valid) == std::vector<int>{1, 4});
  CHECK(convolve(h, x, convolution_mode::valid) == std::vector<int>{1, 4});  // more taps than samples
  CHECK(convolve({1, 2, 3}, {1, 1}, convolution_mode::same) == std::vector<int>{1, 3, 5});  // an even filter
}

TEST_CASE("the first two loops compute the definition") {
  const std::vector<float> by_hand{0, 0, 1, 4, 7, 6};
  CHECK(gather_full({0, 1, 2, 3}, {0, 1, 2}) == by_hand);
  CHECK(scatter_full({0, 1, 2, 3}, {0, 1, 2}) == by_hand);
  for (const std::size_t samples : {1, 2, 5, 32, 101})
    for (const std::size_t taps : {1, 2, 5, 32, 150}) {
      CAPTURE(samples);
      CAPTURE(taps);
      const auto x = random_whole_numbers<float>(samples, 1), h = random_whole_numbers<float>(taps, 2);
      const auto expected = on_host<float>(AS_FUNCTION(convolve_gather))(x, h, convolution_mode::full);
      CHECK(gather_full(x, h) == expected);
      CHECK(scatter_full(x, h) == expected);
    }
}

TEST_CASE_TEMPLATE("every form computes the definition", T, std::int32_t, float, double) {
  SUBCASE("gather") {
    CHECK(summary(convolution_failures<T>(on_host<T>(AS_FUNCTION(convolve_gather)))) == "");
  }
  SUBCASE("gather on all cores") {
    CHECK(summary(convolution_failures<T>(on_host<T>(AS_FUNCTION(convolve_gather_on_all_cores)))) == "");
  }
  SUBCASE("scatter") {
    CHECK(summary(convolution_failures<T>(on_host<T>(AS_FUNCTION(convolve_scatter)))) == "");
  }
  SUBCASE("reversed") {
    CHECK(summary(convolution_failures<T>(on_host<T>(AS_FUNCTION(convolve_reversed)))) == "");
  }
  SUBCASE("all cores, sizes around its tile") {
    const convolution_cases cases{.tile = 2048};
    CHECK(summary(convolution_failures<T>(on_host<T>(AS_FUNCTION(convolve_all_cores)), cases)) == "");
  }
}

TEST_CASE("int32 sums wrap modulo 2^32 in every form") {
  const std::vector<std::int32_t> x{std::numeric_limits<std::int32_t>::max(), 1}, h{2, 3};
  const auto full = convolution_mode::full;
  // With m = 2^31 - 1: 2 m = 2^32 - 2, which wraps to -2; 3 m + 2 = 2^32 + m, which wraps to m.
  CHECK(on_host<std::int32_t>(AS_FUNCTION(convolve_gather))(x, h, full) ==
        std::vector<std::int32_t>{-2, x[0], 3});
  const auto wide_h = random_taps<std::int32_t>(33, 8);
  auto big_x = random_signal<std::int32_t>(500, 7);  // made large below
  for (auto& value : big_x)
    value = static_cast<std::int32_t>(static_cast<std::uint32_t>(value) * 2654435761u);
  const auto reference = on_host<std::int32_t>(AS_FUNCTION(convolve_gather))(big_x, wide_h, full);
  CHECK(on_host<std::int32_t>(AS_FUNCTION(convolve_scatter))(big_x, wide_h, full) == reference);
  CHECK(on_host<std::int32_t>(AS_FUNCTION(convolve_reversed))(big_x, wide_h, full) == reference);
  CHECK(on_host<std::int32_t>(AS_FUNCTION(convolve_all_cores))(big_x, wide_h, full) == reference);
}

TEST_CASE("NaN and infinity are carried through, and only to the outputs that meet them") {
  std::vector<double> x(50, 1.0);
  x[20] = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> h{0.5, 0.25, 0.25};
  for (const auto& f :
       {on_host<double>(AS_FUNCTION(convolve_gather)), on_host<double>(AS_FUNCTION(convolve_all_cores))}) {
    const std::vector<double> y = f(x, h, convolution_mode::full);
    for (std::size_t n = 0; n < y.size(); ++n)
      CHECK_MESSAGE(std::isnan(y[n]) == (20 <= n && n <= 22), "n = ", n);
  }
}

TEST_CASE("no samples, no taps and an output of the wrong length are refused") {
  const std::vector<float> some{1, 2, 3}, none;
  std::vector<float> y(5), short_y(4);
  const auto full = convolution_mode::full;
  CHECK_THROWS_AS(convolve_gather<float>(none, some, y, full), std::invalid_argument);
  CHECK_THROWS_AS(convolve_gather<float>(some, none, y, full), std::invalid_argument);
  CHECK_THROWS_AS(convolve_gather<float>(some, some, short_y, full), std::invalid_argument);
  CHECK_THROWS_AS(convolve_scatter<float>(some, some, short_y, full), std::invalid_argument);
  CHECK_THROWS_AS(convolve_reversed<float>(some, some, short_y, full), std::invalid_argument);
  CHECK_THROWS_AS(convolve_all_cores<float>(some, some, short_y, full), std::invalid_argument);
}

TEST_CASE_TEMPLATE("the checks refuse what is wrong on purpose", T, std::int32_t, float, double) {
  // A check is trusted only after it has refused something.
  const auto refused = [](auto f) { return convolution_failures<T>(on_host<T>(f), {.most_failures = 6}); };
  const auto failures = [&](auto f) { return refused(f).size(); };
  CHECK(failures(AS_FUNCTION(broken::not_flipped)) > 0);
  CHECK(failures(AS_FUNCTION(broken::last_tap_lost)) > 0);
  CHECK(failures(AS_FUNCTION(broken::ghosts_not_zero)) > 0);
  CHECK(failures(AS_FUNCTION(broken::same_rounded_up)) > 0);
  for (const std::string& line : refused(AS_FUNCTION(broken::same_rounded_up)))
    CHECK_MESSAGE(line.find(", same, ") != std::string::npos, line);  // and in no other mode
  CHECK(failures(AS_FUNCTION(broken::not_cleared)) > 0);
}

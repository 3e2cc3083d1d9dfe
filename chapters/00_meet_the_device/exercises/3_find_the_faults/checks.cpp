// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "common/files/numbers.hpp"
#include "find_the_faults.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "common/verify/as_if.hpp"
#include "common/verify/case_at_work.hpp"
#include "common/verify/compare.hpp"
#include "common/verify/counted_check.hpp"
#include "common/verify/inputs.hpp"
#include "common/verify/work_spread.hpp"

using namespace tutorial;

TEST_CASE("y is a and half of b, whatever the length") {
  for (const std::size_t size : {256, 1, 2, 255, 257, 512, 1000, 1023, 1024, 1025, 7919}) {
    // Whole numbers and halves: exact in any order.
    const auto a = random_whole_numbers<float>(size, size), b = random_whole_numbers<float>(size, size + 1);
    std::vector<float> y(size, std::numeric_limits<float>::quiet_NaN()), expected(size), exchanged(size);
    for (std::size_t i = 0; i < size; ++i) {
      expected[i] = a[i] + 0.5f * b[i];
      exchanged[i] = b[i] + 0.5f * a[i];
    }
    mix(a, b, 0.5f, y);
    const agreement result = compare<float>(y, expected);
    std::string whence = bytes_forgotten(result, sizeof(float));
    if (std::all_of(y.begin(), y.end(), [](float each) { return std::isnan(each); }))
      whence = leading_to("missing_copy_back",
                          "y is as it was before the call. Is the copy of the result to the host missing?");
    REQUIRE_MESSAGE(bool(result), several(size, "sample"), ": ", describe(result, whence),
                    as_if(y, {{"a and b were exchanged: are the arguments in the order of the parameters?",
                               exchanged, "arguments"}}));
  }
}

TEST_CASE("the device mixes, a sample to each thread") {
  const auto a = random_whole_numbers<float>(1000, 1), b = random_whole_numbers<float>(1000, 2);
  std::vector<float> y(1000);
  const auto launches = count_launches([&] { mix(a, b, 0.5f, y); });
  if (!has_counts(launches)) return;
  require_work_spread(launches, y.size());
}

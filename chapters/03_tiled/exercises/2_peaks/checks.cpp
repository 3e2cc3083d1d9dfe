// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "common/files/numbers.hpp"
#include "peaks.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "common/device/check.hpp"
#include "common/verify/compare.hpp"
#include "common/verify/inputs.hpp"

using namespace tutorial;

namespace {

std::vector<std::int32_t> peaks_of(const std::vector<float>& signals, std::size_t rows) {
  const device_buffer<float> d_signals(signals);
  device_buffer<std::int32_t> d_peaks(rows);
  find_peaks(d_signals, d_peaks);
  check(cudaDeviceSynchronize());
  return d_peaks.to_host();
}

}  // namespace

TEST_CASE("a single peak is found wherever it is") {
  const std::size_t width = 100;
  std::vector<float> signals(width * width, -2.0f);
  std::vector<std::int32_t> expected(width);
  for (std::size_t row = 0; row < width; ++row) {
    expected[row] = std::int32_t(row);
    signals[row * width + row] = -1.0f;  // below zero, as everything is
  }
  const agreement result = compare<std::int32_t>(peaks_of(signals, width), expected);
  REQUIRE_MESSAGE(
      bool(result),
      "100 signals of 100 samples, whose peak is at 0, 1, ..., 99; index: which signal: ", describe(result));
}

TEST_CASE("it is the first of the largest, for signals of any length") {
  for (const std::size_t width : {1, 2, 5, 31, 32, 33, 63, 64, 65, 257, 1000}) {
    const std::size_t rows = 37;  // the last block has warps to spare
    // Few different values: many ties, within a lane and between lanes.
    const std::vector<float> signals = random_whole_numbers<float>(rows * width, width, 6);
    std::vector<std::int32_t> expected;
    for (std::size_t row = 0; row < rows; ++row) {
      const auto begin = signals.begin() + std::ptrdiff_t(row * width), end = begin + std::ptrdiff_t(width);
      expected.push_back(std::int32_t(std::max_element(begin, end) - begin));
    }
    const agreement result = compare<std::int32_t>(peaks_of(signals, rows), expected);
    REQUIRE_MESSAGE(bool(result), rows, " signals of ", several(width, "sample"),
                    "; index: which signal; of equal peaks the first one counts: ", describe(result));
  }
}

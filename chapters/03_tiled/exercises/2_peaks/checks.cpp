// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "common/files/numbers.hpp"
#include "peaks.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

#include "common/device/check.hpp"
#include "common/verify/as_if.hpp"
#include "common/verify/counted_check.hpp"
#include "common/verify/inputs.hpp"
#include "common/verify/work_spread.hpp"

using namespace tutorial;

namespace {

std::string text_of(float value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

std::vector<std::int32_t> peaks_of(const std::vector<float>& signals, std::size_t rows) {
  const device_buffer<float> d_signals(signals);
  device_buffer<std::int32_t> d_peaks(rows);
  find_peaks(d_signals, d_peaks);
  check(cudaDeviceSynchronize());
  return d_peaks.to_host();
}

/// What lane 0 has in the end, if the lanes shuffle values only, and take for their place the number of the
/// lane that they ask; `row` is a signal of `width` samples.
std::int32_t place_by_lanes(const float* row, std::size_t width) {
  float largest[32];
  std::int32_t at[32];
  for (int lane = 0; lane < 32; ++lane) {
    largest[lane] = -INFINITY, at[lane] = std::int32_t(width);
    for (std::size_t i = std::size_t(lane); i < width; i += 32)
      if (row[i] > largest[lane]) largest[lane] = row[i], at[lane] = std::int32_t(i);
  }
  for (int distance = 16; distance > 0; distance /= 2)
    for (int lane = 0; lane < distance; ++lane) {  // the others no longer matter for lane 0
      const float other = largest[lane + distance];
      const std::int32_t other_at = lane + distance;
      if (other > largest[lane] || (other == largest[lane] && other_at < at[lane]))
        largest[lane] = other, at[lane] = other_at;
    }
  return at[0];
}

/// One peak for each signal: the first of its largest samples. Says which signal is wrong, and what is there.
void check_peaks(const std::vector<float>& signals, std::size_t width) {
  const std::size_t rows = signals.size() / width;
  const std::vector<std::int32_t> peaks = peaks_of(signals, rows);
  std::vector<std::int32_t> by_lanes;
  for (std::size_t row = 0; row < rows; ++row)
    by_lanes.push_back(place_by_lanes(&signals[row * width], width));
  const std::string why = as_if(
      peaks,
      {{"the number of the lane that is asked were taken for the place of its sample: only the values are "
        "shuffled",
        by_lanes}});
  for (std::size_t row = 0; row < rows; ++row) {
    const float* const x = &signals[row * width];
    const std::int32_t right(std::int32_t(std::max_element(x, x + width) - x)), got = peaks[row];
    std::string there = ", which is no sample of it";
    if (got >= 0 && got < std::int32_t(width))
      there = ", where it is " + text_of(x[got]) +
              (x[got] < x[right] ? ", which is less" : ", too, but not for the first time");
    REQUIRE_MESSAGE(got == right, several(rows, "signal"), " of ", several(width, "sample"), ": signal ", row,
                    " is largest, ", x[right], ", at sample ", right, ". peaks[", row, "] should be ", right,
                    ", and is ", got, there, why);
  }
}

}  // namespace

TEST_CASE("a single peak is found wherever it is") {
  const std::size_t width = 100;
  std::vector<float> signals(width * width, -2.0f);
  for (std::size_t row = 0; row < width; ++row) signals[row * width + row] = -1.0f;  // below zero, as all is
  check_peaks(signals, width);
}

TEST_CASE("it is the first of the largest, for signals of any length") {
  for (const std::size_t width : {1, 2, 5, 31, 32, 33, 63, 64, 65, 257, 1000}) {
    const std::size_t rows = 37;  // the last block has warps to spare
    // Few different values: many ties, within a lane and between lanes.
    const std::vector<float> signals = random_whole_numbers<float>(rows * width, width, 6);
    check_peaks(signals, width);
  }
}

TEST_CASE("the lanes of a warp look at a signal together, and learn the rest by shuffles") {
  const std::size_t width = 100, rows = 10;
  const device_buffer<float> signals(random_signal<float>(width * rows));
  device_buffer<std::int32_t> peaks(rows);
  const auto launches = count_launches([&] { find_peaks(signals, peaks); });
  if (!has_counts(launches)) return;
  const launch_counts counts = sum(launches);
  REQUIRE_MESSAGE(counts.global_loads == signals.size(), several(counts.global_loads, "load"), " for ",
                  several(signals.size(), "sample"), ": a lane is to look at every 32nd");
  require_one_warp_each(launches, rows, "signal");
  CHECK_MESSAGE(counts.shared_loads == 0, several(counts.shared_loads, "load"),
                " from shared memory; shuffles need none");
}

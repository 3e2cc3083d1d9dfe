// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What every way to filter a signal on several devices has to get right: all of it, at every seam.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "01_serial_definition/convolve_serial.hpp"
#include "15_many_gpus/host/spread_signal.hpp"
#include "common/device/check.hpp"
#include "common/verify/case_at_work.hpp"
#include "common/verify/inputs.hpp"

namespace tutorial {

/// x after `steps` times 'same' with h, by the definition.
template <class T>
std::vector<T> filtered_again(std::vector<T> x, std::span<const T> h, int steps) {
  std::vector<T> y(x.size());
  for (int s = 0; s < steps; ++s, x.swap(y)) convolve_gather<T>(x, h, y, convolution_mode::same);
  return x;
}

/// A way to filter a signal that is spread over devices.
template <class T>
using spread_filter = std::function<void(spread_signal<T>& signal, int steps)>;

/// Signals, filters and steps that find what is wrong at a seam.
struct spread_case {
  std::size_t samples, taps;
  int steps;
};
/// Parts of equal and of unequal lengths, shorter than the halo, and of no samples; halos over several parts;
/// filters of odd and even lengths, and of one tap. `tile` is what a kernel may treat at a time.
inline std::vector<spread_case> spread_cases(std::size_t tile = 128) {
  return {{1, 1, 1},           {1, 5, 2},    {2, 3, 2},    {3, 9, 3},        {5, 4, 2},
          {16, 2, 3},          {17, 5, 3},   {31, 33, 2},  {64, 7, 4},       {100, 41, 3},
          {257, 300, 1},       {tile, 5, 2}, {1001, 9, 5}, {4 * tile, 4, 3}, {4 * tile + 1, 3, 3},
          {8 * tile + 3, 5, 6}};
}

/// What it says of the first `most` cases that are wrong: "17 samples in 4 parts, 5 taps, 3 steps: y[4] is 3,
/// and should be 5. Part 1 begins at sample 4". Values are whole numbers, compared exactly. int32 wraps.
/// `steps_each` is what the signals are made with.
template <class T>
std::vector<std::string> spread_failures(const spread_filter<T>& filter, std::span<const int> devices,
                                         std::size_t most = 1, std::size_t steps_each = 1,
                                         std::size_t tile = 128) {
  std::vector<std::string> failures;
  for (const spread_case& each : spread_cases(tile)) {
    if (failures.size() >= most) break;
    // All sums of products stay below 2^24, so they are exact; transforms would round.
    const std::size_t own = each.samples / devices.size() + 1;  // of the longest part, or one more
    if (std::is_floating_point_v<T> &&
        (part_transform_of(each.taps, own, element_type_of<T>()).length > 0 ||
         part_transform_of(each.taps, each.samples, element_type_of<T>()).length > 0))
      continue;
    const std::string what = std::to_string(each.samples) + " samples in " + std::to_string(devices.size()) +
                             " parts, " + std::to_string(each.taps) + " taps, " + std::to_string(each.steps) +
                             " steps";
    const case_at_work now(what);
    const std::vector<T> x = random_whole_numbers<T>(each.samples, 1),
                         h = random_whole_numbers<T>(each.taps, 2, 2);
    std::vector<T> y(x.size());
    spread_signal<T> signal(h, x.size(), devices, steps_each);
    signal.bring(x);
    filter(signal, each.steps);
    for (int p = 0; p < signal.parts(); ++p)
      if (cudaStreamQuery(signal.part(p).work) != cudaSuccess)
        failures.push_back(what + ": it returned before part " + std::to_string(p) + " was done");
    cudaGetLastError();  // a part that is not ready is said already
    signal.take(y);
    const std::vector<T> expected = filtered_again<T>(x, h, each.steps);
    const auto [got, wanted] = std::ranges::mismatch(y, expected);
    if (got == y.end()) continue;
    case_at_work::went_wrong();
    const auto n = std::size_t(got - y.begin());
    int part = 0;
    while (signal.split().owned(part).end <= n) ++part;
    failures.push_back(what + ": y[" + std::to_string(n) + "] is " + std::to_string(*got) +
                       ", and should be " + std::to_string(*wanted) + ". It is in part " +
                       std::to_string(part) + ", which begins at sample " +
                       std::to_string(signal.split().owned(part).begin));
  }
  return failures;
}

/// All of them, one in a line: for messages.
inline std::string lines(const std::vector<std::string>& all) {
  std::string text;
  for (const std::string& each : all) text += (text.empty() ? "" : "\n") + each;
  return text;
}

}  // namespace tutorial

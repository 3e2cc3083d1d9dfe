// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "common/files/numbers.hpp"
#include "interleave.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "common/device/check.hpp"
#include "common/verify/case_at_work.hpp"
#include "common/verify/compare.hpp"
#include "common/verify/counted_check.hpp"
#include "common/verify/inputs.hpp"

using namespace tutorial;

// The first launch is the one that a report draws: one full warp of frames.
TEST_CASE("by hand: left 1 2 3 ... 32, right 101 102 103 ... 132") {
  std::vector<float> x(64), expected(64);
  for (int frame = 0; frame < 32; ++frame) {
    expected[2 * frame] = x[frame] = float(frame + 1);
    expected[2 * frame + 1] = x[32 + frame] = float(frame + 101);
  }
  const device_buffer<float> d_x(x);
  device_buffer<float> y(64);
  interleave(d_x, 2, y);
  check(cudaDeviceSynchronize());
  const agreement result = compare<float>(y.to_host(), expected);
  CHECK_MESSAGE(bool(result), describe(result));
}

TEST_CASE("any number of channels, any number of frames") {
  for (const std::size_t channels : {1, 2, 3, 6, 8})
    for (const std::size_t frames : {1, 2, 31, 128, 255, 256, 257, 1000}) {
      const std::vector<float> x = random_signal<float>(channels * frames, frames);
      std::vector<float> expected;
      for (std::size_t frame = 0; frame < frames; ++frame)
        for (std::size_t c = 0; c < channels; ++c) expected.push_back(x[c * frames + frame]);
      const device_buffer<float> d_x(x);
      device_buffer<float> d_y(x.size());
      interleave(d_x, int(channels), d_y);
      check(cudaDeviceSynchronize());
      const std::vector<float> y = d_y.to_host();
      const agreement result = compare<float>(y, expected);
      // Is all right that was written, and nothing behind it?
      std::string why;
      const auto first = std::ptrdiff_t(result.first_index);
      if (!result && std::all_of(y.begin() + first, y.end(), [](float value) { return std::isnan(value); })) {
        const auto launches = count_launches([&] { interleave(d_x, int(channels), d_y); });
        if (!launches.empty())
          why = " interleave() launched " + several(sum(launches).threads, "thread") + ", and y has " +
                several(y.size(), "element");
      }
      REQUIRE_MESSAGE(bool(result), several(channels, "channel"), ", ", several(frames, "frame"), ": ",
                      describe(result), why);
    }
}

TEST_CASE("the guard: threads to spare write nothing behind y, and nothing before it") {
  constexpr std::size_t size = 3 * 257, margin = 3 * 256;  // the margin is wider than any block's share
  const device_buffer<float> x(random_signal<float>(margin + size + margin));
  device_buffer<float> y(margin + size + margin);  // NaN
  interleave(x.span().subspan(margin, size), 3, y.span().subspan(margin, size));
  check(cudaDeviceSynchronize());
  const std::vector<float> all = y.to_host();
  const auto written = [](float value) { return !std::isnan(value); };
  const auto before = std::count_if(all.begin(), all.begin() + margin, written);
  const auto behind = std::count_if(all.end() - margin, all.end(), written);
  CHECK_MESSAGE(before == 0, "elements before y that were overwritten: ", before);
  CHECK_MESSAGE(behind == 0, "elements behind y that were overwritten: ", behind);
}

TEST_CASE("neighboring threads store neighboring elements: 8 floats to a sector") {
  for (const std::size_t channels : {1, 2, 6}) {
    const std::size_t size = channels * 1024, sectors = size * sizeof(float) / 32;
    const device_buffer<float> x(random_signal<float>(size));
    device_buffer<float> y(size);
    const auto launches = count_launches([&] { interleave(x, int(channels), y); });
    if (!has_counts(launches)) return;
    const launch_counts counts = sum(launches);
    CHECK_MESSAGE(counts.global_stores == size, channels, " channels of 1024 frames are ", size,
                  " stores, but there were ", counts.global_stores);
    CHECK_MESSAGE(counts.global_store_sectors == sectors, channels, " channels of 1024 frames fill ", sectors,
                  " sectors, but the stores took ", counts.global_store_sectors);
    CHECK_MESSAGE(counts.threads < size + 1024, several(size, "element"),
                  " leave less than a block to spare, but ", several(counts.threads, "thread"),
                  leading_to("launches", " were launched"));
  }
}

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "which_are_not_zero.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include "09_dct_compression/host/quantization.hpp"
#include "common/device/check.hpp"
#include "common/files/numbers.hpp"
#include "common/verify/as_if.hpp"
#include "common/verify/case_at_work.hpp"
#include "common/verify/counted_check.hpp"
#include "common/verify/inputs.hpp"

using namespace tutorial;

namespace {

using masks_t = std::vector<unsigned long long>;

plane<std::int16_t> random_levels(int width, int height, int per_cent) {
  plane<std::int16_t> levels(width, height);
  for (std::size_t i = 0; i < levels.values.size(); ++i) {
    const std::uint64_t bits = random_bits(std::uint64_t(per_cent + 1), i);
    if (int(bits % 100) >= per_cent) continue;
    const int level = int(bits >> 20 & 1023) + 1;
    levels.values[i] = std::int16_t(bits >> 40 & 1 ? -level : level);
  }
  return levels;
}

masks_t masks_of(const plane<std::int16_t>& levels) {
  // Rows without room behind them, and nothing behind the last one: a lane that has no block reads beyond.
  const device_buffer<std::int16_t> memory(levels.values);
  const device_plane_span<const std::int16_t> d_levels(memory.data(), levels.width, levels.height,
                                                       std::size_t(levels.width) * sizeof(std::int16_t));
  device_buffer<unsigned long long> masks(std::size_t(levels.width / 8) * std::size_t(levels.height / 8));
  nonzero_masks(d_levels, masks);
  check(cudaDeviceSynchronize());
  return masks.to_host();
}

/// "bit 3 in masks[0], bit 3 in masks[2]", the first of them.
std::string set_bits(const masks_t& masks) {
  std::string text;
  int count = 0;
  for (std::size_t b = 0; b < masks.size(); ++b)
    for (int i = 0; i < 64; ++i)
      if ((masks[b] >> i & 1) != 0 && ++count <= 4)
        text += (count > 1 ? ", bit " : "bit ") + std::to_string(i) + " of masks[" + std::to_string(b) + "]";
  if (count > 4) text += " and " + std::to_string(count - 4) + " more";
  return count == 0 ? "none is" : text + (count == 1 ? " is" : " are");
}

}  // namespace

TEST_CASE("one level at a time") {
  for (int i = 0; i < 64; ++i)
    for (const int level : {1, -1, 256, -32768}) {
      plane<std::int16_t> levels(32, 8);  // four 8x8 blocks side by side: a warp's
      const int place = zigzag_order()[std::size_t(i)], b = i % 4;
      levels.at(place / 8, 8 * b + place % 8) = std::int16_t(level);
      const masks_t masks = masks_of(levels);
      masks_t expected(4), halves(4);
      expected[std::size_t(b)] = 1ull << i;
      const auto neighbor = std::find(zigzag_order().begin(), zigzag_order().end(), place ^ 1);
      halves[std::size_t(b)] = 1ull << (neighbor - zigzag_order().begin());
      const std::string why =
          as_if(masks, {{"the two levels of each word of 32 bits were exchanged: it is the bit of level (" +
                             std::to_string(place / 8) + ", " + std::to_string(place % 8 ^ 1) + ")",
                         halves}});
      const bool right = masks == expected;
      REQUIRE_MESSAGE(right, "four 8x8 blocks side by side, and only level (", place / 8, ", ", place % 8,
                      ") of block ", b, ", number ", i, " on the path, is not 0, but ", level, ": only bit ",
                      i, " of masks[", b, "] should be set, and ", set_bits(masks), why);
    }
}

TEST_CASE("pictures of any size, empty, sparse and full") {
  for (const int width : {8, 16, 24, 32, 40, 136})
    for (const int height : {8, 40})
      for (const int per_cent : {0, 5, 60, 100}) {
        const plane<std::int16_t> levels = random_levels(width, height, per_cent);
        const case_at_work now(several(std::uint64_t(width / 8), "8x8 block") +
                               " in a row, where a warp has lanes for 4");
        const masks_t masks = masks_of(levels);
        for (int b = 0; b < int(masks.size()); ++b) {
          unsigned long long expected = 0;
          for (int i = 0; i < 64; ++i) {
            const int place = zigzag_order()[std::size_t(i)];
            if (levels.at(b / (width / 8) * 8 + place / 8, b % (width / 8) * 8 + place % 8) != 0)
              expected |= 1ull << i;
          }
          const unsigned long long wrong = masks[std::size_t(b)] ^ expected;
          const int first = std::countr_zero(wrong);
          const bool set = (expected >> (first & 63) & 1) != 0;
          REQUIRE_MESSAGE(wrong == 0, width, " x ", height, " levels, ", per_cent,
                          " % of them not zero: masks[", b, "] has ", std::popcount(wrong),
                          " wrong bits, the lowest is bit ", first, ", which should be ", set ? 1 : 0);
        }
      }
}

TEST_CASE("the target: four 8x8 blocks in a request, every sector once, no shared memory") {
  const device_plane<std::int16_t> levels(random_levels(256, 64, 30));
  const std::uint64_t blocks = 32 * 8;
  device_buffer<unsigned long long> masks(blocks);
  const auto launches = count_launches([&] { nonzero_masks(levels, masks); });
  if (!has_counts(launches)) return;
  const launch_counts counts = sum(launches);
  CHECK_MESSAGE(counts.global_load_requests == blocks / 4, several(counts.global_load_requests, "request"),
                " that load ", blocks, " 8x8 blocks; ", blocks / 4,
                " are enough: 32 lanes with 16 bytes each are four blocks");
  CHECK_MESSAGE(counts.global_load_sectors == 4 * blocks, several(counts.global_load_sectors, "sector"),
                " for ", blocks, " 8x8 blocks; ", 4 * blocks,
                " are enough: a block has 128 bytes, four sectors");
  CHECK_MESSAGE(counts.shared_loads + counts.shared_stores == 0, (counts.shared_loads + counts.shared_stores),
                " accesses to shared memory: lanes can exchange by shuffles");
}

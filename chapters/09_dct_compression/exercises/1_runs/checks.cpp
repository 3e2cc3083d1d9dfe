// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "runs.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "09_dct_compression/host/quantization.hpp"
#include "common/device/check.hpp"
#include "common/files/numbers.hpp"
#include "common/verify/as_if.hpp"
#include "common/verify/case_at_work.hpp"
#include "common/verify/counted_check.hpp"
#include "common/verify/inputs.hpp"
#include "common/verify/work_spread.hpp"

using namespace tutorial;

namespace {

using symbols_t = std::vector<std::uint8_t>;

/// One list of symbols for each 8x8 block.
std::vector<symbols_t> symbols_of(const plane<std::int16_t>& levels) {
  const device_plane<std::int16_t> d_levels(levels);
  const std::size_t blocks = std::size_t(levels.width / 8) * std::size_t(levels.height / 8);
  const case_at_work now(std::to_string(levels.width) + " x " + std::to_string(levels.height) + " levels, " +
                         several(blocks, "8x8 block"));
  device_buffer<std::uint8_t> d_symbols(63 * blocks);
  device_buffer<int> d_counts(blocks);
  run_symbols(d_levels, d_symbols, d_counts);
  check(cudaDeviceSynchronize());
  const std::vector<std::uint8_t> all = d_symbols.to_host();
  const std::vector<int> counts = d_counts.to_host();
  std::vector<symbols_t> result(blocks);
  for (std::size_t b = 0; b < blocks; ++b) {
    REQUIRE_MESSAGE((0 <= counts[b] && counts[b] <= 63), "8x8 block ", b, ": counts[", b,
                    "] should be from 0 to 63, and is ", counts[b]);
    result[b].assign(all.begin() + long(63 * b), all.begin() + long(63 * b) + counts[b]);
  }
  return result;
}

/// From the places of what is not zero, not by counting zeros. With a mistake: in `rows`, or with all 32 bits
/// of a level below zero.
symbols_t expected_symbols(const plane<std::int16_t>& levels, int block_row, int block_column,
                           bool rows = false, bool with_sign = false) {
  symbols_t symbols;
  int last = 0;
  for (int i = 1; i < 64; ++i) {
    const int place = rows ? i : zigzag_order()[std::size_t(i)];
    const int level = levels.at(8 * block_row + place / 8, 8 * block_column + place % 8);
    if (level == 0) continue;
    const int zeros = i - last - 1;
    symbols.insert(symbols.end(), std::size_t(zeros / 16), 0xF0);
    int size = 0;
    while (std::abs(level) >= 1 << size) ++size;
    if (with_sign && level < 0) {  // 32 bits run over into the zeros
      symbols.push_back(std::uint8_t(zeros % 16 * 16 + 32));
      last = i;
      continue;
    }
    symbols.push_back(std::uint8_t(zeros % 16 << 4 | size));
    last = i;
  }
  if (last != 63) symbols.push_back(0x00);
  return symbols;
}

/// "24 (2 zeros, then a level of 4 bits)"
std::string in_words(std::uint8_t symbol) {
  const int zeros = symbol / 16, bits = symbol % 16;
  char hex[4];
  std::snprintf(hex, sizeof hex, "%02X", symbol);
  std::string words =
      several(std::uint64_t(zeros), "zero") + ", then a level of " + several(std::uint64_t(bits), "bit");
  if (symbol == 0x00) words = "the end: only zeros follow";
  if (symbol == 0xF0) words = "16 zeros";
  return std::string(hex) + " (" + words + ")";
}

std::string in_words(const symbols_t& symbols, std::size_t i) {
  return i < symbols.size() ? in_words(symbols[i]) : "none";
}

/// The levels of an 8x8 block that are not zero, in zig-zag order and without DC, the first of them.
std::string levels_in_words(const plane<std::int16_t>& levels, int block_row, int block_column) {
  std::string text;
  int count = 0;
  for (int i = 1; i < 64; ++i) {
    const int place = zigzag_order()[std::size_t(i)];
    const int level = levels.at(8 * block_row + place / 8, 8 * block_column + place % 8);
    if (level == 0) continue;
    if (++count <= 4) text += (count > 1 ? ", " : "") + std::to_string(level) + " at " + std::to_string(i);
  }
  if (count > 4) text += ", ...";
  const std::string dc = "DC is " + std::to_string(levels.at(8 * block_row, 8 * block_column));
  return dc + (count == 0 ? ", and levels 1 to 63 on the path are 0"
                          : ", and of levels 1 to 63 on the path these are not 0: " + text);
}

/// One 8x8 block, all zero but for DC, which is no matter of runs.
plane<std::int16_t> quiet_block() {
  plane<std::int16_t> levels(8, 8);
  levels.at(0, 0) = -26;
  return levels;
}

void check_block(const plane<std::int16_t>& levels, int block_row, int block_column, const symbols_t& symbols,
                 const symbols_t& expected) {
  const auto differ = std::mismatch(symbols.begin(), symbols.end(), expected.begin(), expected.end());
  const std::size_t i(std::size_t(differ.first - symbols.begin()));
  const bool right = symbols == expected;
  const std::string why =
      as_if(symbols, {{"the levels came row by row, and not on the zig-zag path",
                       expected_symbols(levels, block_row, block_column, true)},
                      {"a level below zero had all 32 bits: the bits are those of its absolute value",
                       expected_symbols(levels, block_row, block_column, false, true)}});
  REQUIRE_MESSAGE(right, levels.width, " x ", levels.height, " levels, 8x8 block (", block_row, ", ",
                  block_column, "), ", levels_in_words(levels, block_row, block_column), ": symbols[", i,
                  "] should be ", in_words(expected, i), ", and is ", in_words(symbols, i), why);
}

void check_symbols(const plane<std::int16_t>& levels, const symbols_t& expected) {
  check_block(levels, 0, 0, symbols_of(levels)[0], expected);
}

}  // namespace

TEST_CASE("nothing but DC: the block ends at once") { check_symbols(quiet_block(), {0x00}); }

TEST_CASE("down and up the path") {
  plane<std::int16_t> levels = quiet_block();
  levels.at(0, 1) = -21;  // the first on the path: five bits
  levels.at(1, 0) = 1;    // the second: one
  levels.at(0, 2) = 9;    // the fifth, behind two zeros: four bits
  check_symbols(levels, {0x05, 0x01, 0x24, 0x00});
}

TEST_CASE("a long run, and a last level that is not zero") {
  plane<std::int16_t> levels = quiet_block();
  levels.at(7, 7) = 1;  // behind 62 zeros: three times 16, and 14
  check_symbols(levels, {0xF0, 0xF0, 0xF0, 0xE1});
}

TEST_CASE("runs around 16, with and without something behind") {
  for (const int zeros : {14, 15, 16, 17, 31, 32, 33, 61}) {
    plane<std::int16_t> levels = quiet_block();
    levels.values[zigzag_order()[std::size_t(zeros + 1)]] = -1023;
    check_symbols(levels, expected_symbols(levels, 0, 0));
  }
}

TEST_CASE("pictures of any size, busy and quiet") {
  for (const int width : {8, 72, 136})
    for (const int height : {8, 56})
      for (const int per_cent : {3, 30, 100}) {
        plane<std::int16_t> levels(width, height);
        for (std::size_t i = 0; i < levels.values.size(); ++i) {
          const std::uint64_t bits = random_bits(std::uint64_t(per_cent), i);
          if (int(bits % 100) < per_cent)
            levels.values[i] =
                std::int16_t((int(bits >> 8 & 1023) >> (bits >> 20) % 11) * (bits >> 30 & 1 ? 1 : -1));
        }
        const std::vector<symbols_t> symbols = symbols_of(levels);
        for (int b = 0; b < int(symbols.size()); ++b) {
          const int block_row = b / (width / 8), block_column = b % (width / 8);
          check_block(levels, block_row, block_column, symbols[std::size_t(b)],
                      expected_symbols(levels, block_row, block_column));
        }
      }
}

TEST_CASE("a thread for each 8x8 block") {
  const device_plane<std::int16_t> levels(plane<std::int16_t>(136, 56));
  device_buffer<std::uint8_t> symbols(63 * 17 * 7);
  device_buffer<int> counts(17 * 7);
  const auto launches = count_launches([&] { run_symbols(levels, symbols, counts); });
  if (!has_counts(launches)) return;
  const launch_counts all = sum(launches);
  REQUIRE_MESSAGE(all.threads >= counts.size(), several(all.threads, "thread"), " for ",
                  several(counts.size(), "8x8 block"), ": each is to have a thread of its own");
  require_lanes_together(all.global_loads, all.global_load_requests, "load");
}

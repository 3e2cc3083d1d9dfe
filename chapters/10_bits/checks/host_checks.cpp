// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "09_dct_compression/host/compress_serial.hpp"
#include "09_dct_compression/host/jpeg_output.hpp"
#include "10_bits/host/block_symbols.hpp"
#include "10_bits/host/code_serial.hpp"
#include "common/verify/inputs.hpp"
#include "test_pictures.hpp"

using namespace tutorial;

TEST_CASE("serial: every file is libjpeg's, byte for byte") {
  const int sizes[][2] = {{1, 1},   {7, 9},    {8, 8},    {16, 16}, {17, 16},
                          {33, 50}, {100, 75}, {1021, 3}, {3, 130}};
  int files = 0;
  for (const auto& size : sizes)
    for (int colors = 0; colors < 3; ++colors)
      for (int kind = 0; kind < 4; ++kind)
        for (const int quality : {1, 50, 100}) {
          const image picture =
              test_picture(size[0], size[1], colors == 0 ? 1 : 3, picture_kind(kind), std::uint64_t(quality));
          const compressed_picture levels =
              compress_serial(picture, quality, colors == 1 ? chroma_sampling::s444 : chroma_sampling::s420);
          for (const int interval : {0, 1, 5})
            for (const bool optimized : {false, true}) {
              const std::string where = file_difference(jpeg_file_serial(levels, {interval, optimized}),
                                                        jpeg_bytes(levels, {optimized, interval}));
              CHECK_MESSAGE(where.empty(), size[0] << " x " << size[1] << " pixels, kind " << kind
                                                   << ", quality " << quality << ", interval " << interval
                                                   << ", colors " << colors << ", optimized " << optimized
                                                   << ": " << where);
              ++files;
            }
        }
  CHECK(files == 9 * 3 * 4 * 3 * 6);
}

TEST_CASE("codes: no word begins another one, none is of ones alone, none longer than 16 bits") {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    symbol_counts counts{};
    const int used = 1 + int(random_bits(seed, 1000) % 256);
    for (int i = 0; i < used; ++i) {
      // Powers of two and Fibonacci's numbers make the deepest trees.
      const std::uint64_t bits = random_bits(seed, std::uint64_t(i));
      counts[std::size_t(random_bits(seed + 99, std::uint64_t(i)) % 256)] = seed % 4 == 0 ? 1u << (i % 30)
                                                                            : seed % 4 == 1
                                                                                ? 1
                                                                                : std::uint32_t(bits % 1000);
    }
    counts[std::size_t(seed)] += 1;  // one at least occurs
    const code_words words = words_of(optimized_code(counts));
    double space = 0;
    for (int symbol = 0; symbol < 256; ++symbol) {
      const code_word& word = words[std::size_t(symbol)];
      CHECK((word.length == 0) == (counts[std::size_t(symbol)] == 0));
      if (word.length == 0) continue;
      CHECK(word.length <= 16);
      CHECK(word.bits != (1u << word.length) - 1);
      space += 1.0 / double(1u << word.length);
    }
    CHECK(space < 1);
  }
  CHECK_THROWS_AS(optimized_code({}), std::invalid_argument);
  CHECK_THROWS_AS(words_of({{3}, {1, 2, 3}}), std::invalid_argument);
  CHECK_THROWS_AS(words_of({{1}, {}}), std::invalid_argument);
  CHECK_THROWS_AS(words_of({{1}, {1, 2}}), std::invalid_argument);
}

TEST_CASE("sizes and extra bits: the table of the standard") {
  // ITU-T T.81, table F.1 and F.1.2.1.1: -3, -2 | 2, 3 have size 2, as 00, 01 | 10, 11.
  CHECK(size_of_level(0) == 0);
  for (const int sign : {-1, 1}) CHECK(size_of_level(sign) == 1);
  for (const int level : {-3, -2, 2, 3}) CHECK(size_of_level(level) == 2);
  CHECK(size_of_level(1023) == 10);
  CHECK(size_of_level(-1024) == 11);
  CHECK(extra_bits(-3, 2) == 0);
  CHECK(extra_bits(-2, 2) == 1);
  CHECK(extra_bits(2, 2) == 2);
  CHECK(extra_bits(3, 2) == 3);
  CHECK(extra_bits(-1, 1) == 0);
  CHECK(extra_bits(1, 1) == 1);
}

TEST_CASE("layout: the order of the standard, and every block predicted by the one before it") {
  for (const auto& [width, height] :
       {std::pair(41, 27), std::pair(64, 32), std::pair(7, 9), std::pair(16, 40)})
    for (const int channels : {1, 3})
      for (const chroma_sampling sampling : {chroma_sampling::s444, chroma_sampling::s420})
        for (const int interval : {0, 1, 4}) {
          const scan_layout layout = scan_layout_of(width, height, channels, sampling, interval);
          // ITU-T T.81, A.2.3: unit by unit; in a unit each component, row by row.
          const int own = channels == 3 && sampling == chroma_sampling::s420 ? 2 : 1;
          const int wide = (width + 8 * own - 1) / (8 * own), high = (height + 8 * own - 1) / (8 * own);
          int before[3] = {-1, -1, -1}, block = 0, wrong_places = 0, wrong_predecessors = 0;
          for (int unit = 0; unit < wide * high; ++unit) {
            if (interval != 0 && unit % interval == 0) std::fill(before, before + 3, -1);
            for (int c = 0; c < channels; ++c) {
              const int side = c == 0 ? own : 1, samples = c == 0 ? 1 : own;
              const int first = block - block % layout.blocks_in_interval();
              for (int row = 0; row < side; ++row)
                for (int column = 0; column < side; ++column, ++block) {
                  const scan_block at = layout.at(block);
                  const int x = unit % wide * side + column, y = unit / wide * side + row;
                  const bool is_real =
                      8 * x < (width + samples - 1) / samples && 8 * y < (height + samples - 1) / samples;
                  wrong_places += at.component != c || at.column != x || at.row != y || at.is_real != is_real;
                  wrong_predecessors += layout.predecessor(block, first) != before[c] ||
                                        layout.first_of_interval(block) != first;
                  if (is_real) before[c] = block;
                }
            }
          }
          CHECK(block == layout.blocks());
          CHECK(wrong_places == 0);
          CHECK(wrong_predecessors == 0);
        }
  CHECK_THROWS_AS(scan_layout_of(0, 5, 1, chroma_sampling::s444, 0), std::invalid_argument);
  CHECK_THROWS_AS(scan_layout_of(65501, 5, 1, chroma_sampling::s444, 0), std::invalid_argument);
  CHECK_THROWS_AS(scan_layout_of(5, 5, 2, chroma_sampling::s444, 0), std::invalid_argument);
  CHECK_THROWS_AS(scan_layout_of(5, 5, 1, chroma_sampling::s444, 65536), std::invalid_argument);
}

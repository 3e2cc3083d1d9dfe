// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "10_bits/host/reading_tables.hpp"
#include "10_bits/kernels/decode/clean_scan.hpp"
#include "common/device/check.hpp"
#include "common/verify/inputs.hpp"
#include "refused_launches.hpp"

using namespace tutorial;

namespace {

using bytes = std::vector<std::uint8_t>;

constexpr int tile = 4096;        // bytes, counted from an address that is a multiple of 16
constexpr int untouched = -0x5b;  // of the elements of begins that nobody writes

struct cleaned {
  std::vector<int> begins;
  int markers = 0;
  unsigned damaged = ~0u;
  bytes left, behind;  // of the whole scan; the zeros

  friend bool operator==(const cleaned&, const cleaned&) = default;
};

bool is_second(int code) { return code >= 0xD0 && code != 0xD8 && code <= 0xD9; }

/// One byte after the other.
cleaned in_order(const bytes& scan, int intervals) {
  cleaned result{std::vector<int>(std::size_t(intervals) + 1, untouched), 0, ~0u, {}, {}};
  result.behind.resize(scan_cleaner::zeros_behind);
  result.begins[0] = 0;
  for (std::size_t i = 0; i < scan.size(); ++i) {
    const bool behind_ff = i > 0 && scan[i - 1] == 0xFF;
    if (behind_ff && (scan[i] == 0 || is_second(scan[i]))) continue;
    const int code = scan[i] != 0xFF || i + 1 == scan.size() ? 0 : scan[i + 1];
    if (code == 0xFF) continue;  // it fills
    if (!is_second(code)) {
      result.left.push_back(scan[i]);
      if (code != 0 && result.markers < intervals)
        result.damaged = std::min(result.damaged, unsigned(result.markers));
      continue;
    }
    const int m = result.markers++;
    if (m >= intervals) continue;
    result.begins[std::size_t(m) + 1] = int(result.left.size());
    if (code != (m == intervals - 1 ? 0xD9 : 0xD0 + m % 8))
      result.damaged = std::min(result.damaged, unsigned(m));
  }
  return result;
}

/// The scan lies `offset` bytes behind a multiple of 16. Around it are bytes that would make markers of its
/// first and its last byte; or nothing at all, where `alone`.
cleaned on_device(scan_cleaner& cleaner, const bytes& scan, int intervals, int offset, bool alone,
                  std::size_t left) {
  bytes all(std::size_t(offset), 0xFF);
  all.insert(all.end(), scan.begin(), scan.end());
  if (!alone) all.insert(all.end(), {0xD9, 0xFF, 0xD9});
  const device_buffer<std::uint8_t> file(all);
  device_buffer<int> begins(std::vector<int>(std::size_t(intervals) + 1, untouched));
  device_buffer<scan_findings> findings(1);
  check(cudaMemset(findings.data(), 0xFF, sizeof(scan_findings)));
  cleaner.clean({file.data() + offset, scan.size()}, intervals, begins.data(), findings.data());
  const scan_findings found = findings.to_host()[0];
  bytes clean(left + scan_cleaner::zeros_behind);
  check(cudaMemcpy(clean.data(), cleaner.words(), clean.size(), cudaMemcpyDeviceToHost));
  const auto end = clean.begin() + std::ptrdiff_t(left);
  return {begins.to_host(), found.markers, found.damaged, {clean.begin(), end}, {end, clean.end()}};
}

/// Bytes of which none is 0xFF, then markers at these places, with the numbers that are due.
bytes scan_with(int size, const std::vector<int>& places) {
  bytes scan(static_cast<std::size_t>(size));
  for (std::size_t i = 0; i < scan.size(); ++i) scan[i] = std::uint8_t(random_bits(7, i) % 255);
  for (std::size_t m = 0; m < places.size(); ++m) {
    scan[std::size_t(places[m])] = 0xFF;
    scan[std::size_t(places[m]) + 1] = std::uint8_t(m + 1 == places.size() ? 0xD9 : 0xD0 + m % 8);
  }
  return scan;
}

/// "" or what is wrong.
std::string wrong(scan_cleaner& cleaner, const bytes& scan, int intervals, int offset, bool alone = false) {
  const cleaned right = in_order(scan, intervals);
  const cleaned ours = on_device(cleaner, scan, intervals, offset, alone, right.left.size());
  if (ours == right) return "";
  return std::to_string(scan.size()) + " bytes at offset " + std::to_string(offset) + ", " +
         std::to_string(intervals) + " intervals: " + std::to_string(ours.markers) + " markers of " +
         std::to_string(right.markers) + ", damaged " + std::to_string(ours.damaged) + " and not " +
         std::to_string(right.damaged) + (ours.begins == right.begins ? "" : ", wrong begins") +
         (ours.left == right.left ? "" : ", wrong bytes left") +
         (ours.behind == right.behind ? "" : ", no zeros behind");
}

}  // namespace

TEST_CASE("clean: a marker at every offset to words, threads and tiles") {
  scan_cleaner cleaner;
  // Its two bytes in one word of 16 or two, in one thread's 32 or two's, in one tile or two.
  for (const int border : {16, 32, tile, 2 * tile})
    for (int offset = 0; offset < 16; ++offset)
      for (int at = border - offset - 2; at <= border - offset; ++at) {
        if (at < 0) continue;
        const bytes scan = scan_with(at + 60, {at, at + 58});
        CHECK(wrong(cleaner, scan, 2, offset) == "");
      }
  // A stuffed zero likewise, and a 0xFF with something else behind it.
  for (const int border : {16, 32, tile, 2 * tile})
    for (int offset = 0; offset < 16; offset += 3)
      for (int at = border - offset - 2; at <= border - offset; ++at)
        for (const std::uint8_t second : {0x00, 0xC0, 0xFF, 0xD8}) {
          if (at < 0) continue;
          bytes scan = scan_with(at + 60, {at + 58});
          scan[std::size_t(at)] = 0xFF;
          scan[std::size_t(at) + 1] = second;
          CHECK(wrong(cleaner, scan, 1, offset) == "");
        }
  // The scan ends at a word, just before it and just behind it, and so do its bytes in memory.
  for (const int border : {16, 32, tile})
    for (int offset = 0; offset < 16; ++offset)
      for (int size = border - offset - 1; size <= border - offset + 2; ++size)
        if (size >= 2) CHECK(wrong(cleaner, scan_with(size, {size - 2}), 1, offset, true) == "");
  for (const int size : {2, 3, 4}) CHECK(wrong(cleaner, scan_with(size, {0}), 1, 0, true) == "");
}

TEST_CASE("clean: bytes that fill, in front of a marker, are left out and no damage") {
  scan_cleaner cleaner;
  const bytes scan = scan_with(3 * tile, {100, 200, tile - 2, tile + 40, 3 * tile - 2});
  const cleaned right = in_order(scan, 5);
  for (const int fills : {1, 2, 15, 40, tile})
    for (int offset = 0; offset < 16; ++offset) {
      bytes filled;
      for (std::size_t i = 0; i < scan.size(); ++i) {
        if (scan[i] == 0xFF) filled.insert(filled.end(), std::size_t(fills), 0xFF);
        filled.push_back(scan[i]);
      }
      CAPTURE(fills);
      CAPTURE(offset);
      CHECK(on_device(cleaner, filled, 5, offset, false, right.left.size()) == right);
    }
  CHECK(right.damaged == ~0u);
}

TEST_CASE("clean: after a launch that was refused, the next one has its tickets") {
  scan_cleaner cleaner;
  const bytes scan = scan_with(3 * tile, {100, 200, tile - 2, tile + 40, 3 * tile - 2});
  CHECK(wrong(cleaner, scan, 5, 0) == "");
  const device_buffer<std::uint8_t> file(scan);
  device_buffer<int> begins(6);
  device_buffer<scan_findings> findings(1);
  for (int again = 0; again < 2; ++again) {
    {
      const refused_launches none;
      CHECK_THROWS_AS(cleaner.clean(file, 5, begins.data(), findings.data()), cuda_error);
    }
    CHECK(wrong(cleaner, scan, 5, 0) == "");
  }
}

TEST_CASE("clean: any bytes, with markers too many, too few and of wrong numbers") {
  scan_cleaner cleaner;  // for short and for long scans in turn
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    const int size = 2 + int(random_bits(seed, 0) % (seed % 3 == 0 ? 60 : seed % 3 == 1 ? 700 : 5 * tile));
    bytes scan(static_cast<std::size_t>(size));
    for (std::size_t i = 0; i < scan.size(); ++i) {
      const std::uint64_t bits = random_bits(seed, i + 1);
      scan[i] = std::uint8_t(bits % 3 == 0 ? 0xFF : bits % 3 == 1 ? 0xCF + bits / 3 % 12 : bits / 3 % 8 * 32);
    }
    const int markers = in_order(scan, 1).markers;
    for (const int intervals : {1, markers - 1, markers, markers + 1, markers + 100})
      if (intervals >= 1) CHECK(wrong(cleaner, scan, intervals, int(seed % 16), seed % 2 == 0) == "");
  }
  // Everywhere one, more than 32 tiles; then one of them with another number.
  std::vector<int> places(40 * tile / 50);
  for (std::size_t m = 0; m < places.size(); ++m) places[m] = int(50 * m) + int(m % 7);
  bytes scan = scan_with(40 * tile, places);
  CHECK(wrong(cleaner, scan, int(places.size()), 5) == "");
  CHECK(in_order(scan, int(places.size())).damaged == ~0u);
  for (const std::size_t m : {std::size_t{0}, places.size() / 2, places.size() - 1}) {
    bytes other = scan;
    other[std::size_t(places[m]) + 1] = 0xD0 + (m + 1) % 8;
    CHECK(in_order(other, int(places.size())).damaged == m);
    CHECK(wrong(cleaner, other, int(places.size()), 5) == "");
  }
}

namespace {

struct found_symbol {
  int length;  // of its word; 0: no word begins so
  int symbol;
};

/// Goes through all words by itself: the symbol that these 16 bits begin with, as C.2 of the standard has it.
found_symbol search(const huffman_code& code, unsigned bits) {
  unsigned word = 0;
  std::size_t i = 0;
  for (int length = 1; length <= 16; ++length, word <<= 1)
    for (int k = 0; k < code.counts[std::size_t(length) - 1]; ++k, ++word, ++i)
      if (bits >> (16 - length) == word) return {length, code.symbols[i]};
  return {0, 0};
}

/// How many of the 65,536 beginnings are read wrong; -1: a table is too large.
int wrong_beginnings(const huffman_code& code) {
  int count = 0;
  for (const coefficient_kind kind : {coefficient_kind::dc, coefficient_kind::ac}) {
    const std::vector<std::uint32_t> table = reading_table_of(code, kind);
    const bool is_dc = kind == coefficient_kind::dc;
    if (table.size() > 3392) return -1;
    for (unsigned bits = 0; bits < 65536; ++bits) {
      const found_symbol right = search(code, bits);
      const int size = is_dc ? right.symbol : right.symbol % 16, run = is_dc ? 0 : right.symbol / 16;
      const bool ends = !is_dc && right.symbol == 0x00;
      // Symbols that no block has.
      const bool is_none = right.length == 0 || size > 15 || (!is_dc && size == 0 && !ends && run != 15);
      for (const unsigned behind : {0u, 0xffffu}) {
        const std::uint32_t stream = bits << 16 | behind;
        read_symbol ours{table[stream >> first_shift]};
        if (ours.goes_on()) {
          ours = {table[std::size_t(ours.next_table()) + (stream << first_look >> ours.next_shift())]};
        }
        if (is_none)
          count += ours.advance() != read_symbol::none || ours.bits() == 0;
        else
          count += ours.word_bits() != right.length || ours.bits() != right.length + size ||
                   ours.shift() != 32 - size ||
                   ours.advance() != (ends ? read_symbol::end_of_block : run + 1);
      }
    }
  }
  return count;
}

/// How many of the 1024 beginnings lead elsewhere than word after word does, with zeros or ones behind them.
int wrong_strides(const huffman_code& code) {
  const std::vector<std::uint32_t> single = reading_table_of(code, coefficient_kind::ac),
                                   table = striding_table_of(single, most_words_of_look);
  int count = 0, longest = 0;
  for (unsigned first = 0; first < 1u << first_look; ++first)
    for (const std::uint64_t behind : {std::uint64_t{0}, (std::uint64_t{1} << 54) - 1}) {
      const read_symbol ours{table[first]};
      if (ours.goes_on()) continue;
      const std::uint64_t stream = std::uint64_t{first} << 54 | behind;
      int bits = 0, advance = 0, words = 0;
      for (; bits < ours.bits(); ++words) {
        const read_symbol next{single[std::size_t(stream << bits >> 54)]};
        if (words == 0) count += next.bits() != ours.first_bits() || next.advance() != ours.first_advance();
        bits += next.bits(), advance += next.advance();
      }
      count += bits != ours.bits() || advance != ours.advance() || words > most_words_of_look;
      longest = std::max(longest, words);
    }
  return longest > 1 ? count : -1;
}

}  // namespace

TEST_CASE("reading tables: several words lead where one after the other does") {
  for (const component_kind component : {component_kind::luminance, component_kind::chrominance})
    CHECK(wrong_strides(standard_code(component, coefficient_kind::ac)) == 0);
  symbol_counts counts{};
  for (std::size_t i = 0; i < counts.size(); ++i)
    counts[i] = std::uint32_t(random_bits(1, i) >> (34 + i % 30));
  CHECK(wrong_strides(optimized_code(counts)) == 0);
}

TEST_CASE("reading tables: every beginning of a stream, for every kind of code") {
  for (const component_kind component : {component_kind::luminance, component_kind::chrominance})
    for (const coefficient_kind coefficient : {coefficient_kind::dc, coefficient_kind::ac})
      CHECK(wrong_beginnings(standard_code(component, coefficient)) == 0);
  for (const component_kind component : {component_kind::luminance, component_kind::chrominance}) {
    const huffman_code code = standard_code(component, coefficient_kind::ac);
    CHECK(reading_table_of(code, coefficient_kind::ac).size() ==
          1160);  // 1024; for 11 and 12 bits 4 each; for 15 and 16 128
  }
  const auto code_with = [](const std::array<std::uint8_t, 16>& counts) {
    huffman_code code{counts, {}};
    code.symbols.resize(std::size_t(std::accumulate(counts.begin(), counts.end(), 0)));
    std::iota(code.symbols.rbegin(), code.symbols.rend(), std::uint8_t{1});
    words_of(code);  // throws if no code has these counts
    return code;
  };
  // A word of each length; all of one length, or two; the most tables and the widest; and a single word.
  CHECK(wrong_beginnings(code_with({1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2})) == 0);
  CHECK(wrong_beginnings(code_with({0, 0, 0, 0, 0, 0, 0, 255})) == 0);
  CHECK(wrong_beginnings(code_with({0, 0, 0, 0, 0, 0, 0, 0, 255})) == 0);
  CHECK(wrong_beginnings(code_with({0, 0, 0, 0, 0, 0, 0, 0, 0, 255})) == 0);
  CHECK(wrong_beginnings(code_with({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255})) == 0);
  CHECK(wrong_beginnings(code_with({0, 0, 0, 0, 0, 0, 0, 0, 100, 0, 0, 0, 0, 0, 0, 155})) == 0);
  CHECK(wrong_beginnings(code_with({0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 249})) == 0);
  CHECK(wrong_beginnings(code_with({1})) == 0);
  CHECK(wrong_beginnings(code_with({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1})) == 0);
  CHECK(wrong_beginnings(code_with({})) == 0);
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    symbol_counts counts{};
    for (std::size_t i = 0; i < counts.size(); ++i)
      counts[i] = std::uint32_t(random_bits(seed, i) >> (34 + 2 * (i % 15)));
    counts[seed] += 1;
    CHECK(wrong_beginnings(optimized_code(counts)) == 0);
  }
}

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "common/device/check.hpp"
#include "common/verify/case_at_work.hpp"
#include "common/verify/inputs.hpp"
#include "common/verify/longest_way.hpp"
#include "find_the_faults.hpp"

using namespace tutorial;

namespace {

/// Codes of `length` bits each, or of random lengths where it is 0.
void check_packing(int count, int length) {
  const std::string what =
      std::to_string(count) + " codes of " + (length == 0 ? "1 to 27" : std::to_string(length)) + " bits";
  std::vector<std::uint32_t> codes;
  std::vector<int> lengths, begins;
  std::vector<bool> expected;
  for (int i = 0; i < count; ++i) {
    const std::uint64_t bits = random_bits(std::uint64_t(length + 1), std::uint64_t(i));
    const int own = length == 0 ? 1 + int(bits >> 40) % 27 : length;
    const std::uint32_t code = std::uint32_t(bits) & ~(0xffffffffu >> own);
    codes.push_back(code), lengths.push_back(own), begins.push_back(int(expected.size()));
    for (int k = 0; k < own; ++k) expected.push_back((code << k & 0x80000000u) != 0);
  }
  const std::size_t size = expected.size() / 32 + 1;
  const device_buffer<std::uint32_t> d_codes(codes);
  const device_buffer<int> d_lengths(lengths), d_begins(begins);
  device_buffer<std::uint32_t> words(size);
  pack_codes(d_codes, d_lengths, d_begins, words);
  check(cudaDeviceSynchronize());
  const std::vector<std::uint32_t> got = words.to_host();
  std::string before;
  for (std::size_t w = 0; w < size && before.empty(); ++w) {
    std::uint32_t right = 0;
    for (std::size_t bit = 32 * w; bit < 32 * (w + 1) && bit < expected.size(); ++bit)
      right |= std::uint32_t(expected[bit]) << (31 - bit % 32);
    if (got[w] != right && got[w] == (right | 0xA5A5A5A5u))
      before = ". words[" + std::to_string(w) +
               "] has all its bits, and those of 0xA5A5A5A5, which it had before the call. It is as if "
               "nothing had set it to 0 before the launch";
  }
  std::size_t code = 0;  // the one that the bit is of
  for (std::size_t bit = 0; bit < 32 * size; ++bit) {
    while (code < begins.size() && bit >= std::size_t(begins[code] + lengths[code])) ++code;
    const bool is = (got[bit / 32] << bit % 32 & 0x80000000u) != 0,
               should = bit < expected.size() && expected[bit];
    const std::string of = code == begins.size() ? "behind the last code"
                                                 : "code " + std::to_string(code) + " has bits " +
                                                       std::to_string(begins[code]) + " to " +
                                                       std::to_string(begins[code] + lengths[code] - 1);
    REQUIRE_MESSAGE(is == should, what << ": bit " << bit << " (" << of << "), which is bit " << bit % 32
                                       << " of words[" << bit / 32 << "], is " << int(is)
                                       << ", and should be " << int(should) << leading_to("launch", before));
  }
}

}  // namespace

TEST_CASE("a code for each word: none crosses a border") { check_packing(1, 27); }
TEST_CASE("codes that fill words exactly") { check_packing(64, 16); }
TEST_CASE("codes that cross from one word to the next") { check_packing(300, 27); }
TEST_CASE("codes of any length") { check_packing(1000, 0); }
TEST_CASE("a thread for each code") {
  const std::vector<std::uint32_t> codes(1000, 0x80000000u);
  const std::vector<int> lengths(codes.size(), 27);
  std::vector<int> begins;
  for (std::size_t i = 0; i < codes.size(); ++i) begins.push_back(27 * int(i));
  const device_buffer<std::uint32_t> d_codes(codes);
  const device_buffer<int> d_lengths(lengths), d_begins(begins);
  device_buffer<std::uint32_t> words(27 * codes.size() / 32 + 1);
  check_longest_way([&] { pack_codes(d_codes, d_lengths, d_begins, words); }, 150, "1000 codes",
                    "The exercise has a thread for each code: does one thread do the work of others?");
}

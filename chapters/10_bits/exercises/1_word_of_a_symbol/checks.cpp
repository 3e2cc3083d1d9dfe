// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "10_bits/host/huffman_code.hpp"
#include "common/device/check.hpp"
#include "common/verify/as_if.hpp"
#include "common/verify/counted_check.hpp"
#include "common/verify/inputs.hpp"
#include "common/verify/longest_way.hpp"
#include "word_of_a_symbol.hpp"

using namespace tutorial;

namespace {

void check_code(const huffman_code& code, const std::string& what) {
  const device_buffer<std::uint8_t> counts(std::vector<std::uint8_t>(code.counts.begin(), code.counts.end()));
  const device_buffer<std::uint8_t> symbols(code.symbols);
  device_buffer<std::uint32_t> words(256), lengths(256);
  words_of_symbols(counts, symbols, words, lengths);
  check(cudaDeviceSynchronize());
  const std::vector<std::uint32_t> got = words.to_host(), got_lengths = lengths.to_host();
  const code_words expected = words_of(code);
  // What the list has one after the other, where the symbols should say the places.
  std::vector<std::uint32_t> in_order, so_far, numbers, one_by_one;
  std::uint32_t next = 0;  // without the zero that each longer word has behind it
  for (std::size_t i = 0; i < code.symbols.size(); ++i) {
    in_order.push_back(got_lengths[i]);
    so_far.push_back(expected[code.symbols[i]].length);
    numbers.push_back(got[code.symbols[i]]);
    one_by_one.push_back(next++);
  }
  const std::string why = as_if<std::uint32_t>(
      in_order, {{"word i were stored at place i of the list: it belongs to place symbols[i]", so_far}});
  const std::string why_number =
      as_if(numbers, {{"no 0 were appended where the words become a bit longer", one_by_one}});
  const auto check_symbol = [&](std::size_t s, const std::string& which) {
    REQUIRE_MESSAGE(got_lengths[s] == expected[s].length, what, ": the word of symbol ", s, which,
                    " should have ", int(expected[s].length), " bits, and has ", got_lengths[s],
                    std::string(got_lengths[s] == 0 ? ", as where no thread writes there" : ""), why);
    REQUIRE_MESSAGE(got[s] == expected[s].bits, what, ": the word of symbol ", s, which, ", of ",
                    int(expected[s].length), " bits, should be the number ", expected[s].bits, ", and is ",
                    got[s], why_number);
  };
  for (std::size_t i = 0; i < code.symbols.size(); ++i)
    check_symbol(code.symbols[i], " (symbols[" + std::to_string(i) + "])");
  for (std::size_t s = 0; s < 256; ++s)
    if (expected[s].length == 0) check_symbol(s, " (which is not listed)");
}

}  // namespace

TEST_CASE("three words: 00, 01, 100") {
  check_code({{0, 2, 1}, {7, 3, 200}}, "counts 0 2 1, symbols 7, 3, 200");
}
TEST_CASE("the standard's codes") {
  check_code(standard_code(component_kind::luminance, coefficient_kind::dc),
             "the standard's code for DC, brightness");
  check_code(standard_code(component_kind::chrominance, coefficient_kind::ac),
             "the standard's code for AC, colors");
}
TEST_CASE("codes made for random counts") {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    symbol_counts counts{};
    for (std::size_t s = 0; s < 256; ++s)
      if (random_bits(seed, s) % 3 != 0)
        counts[s] = std::uint32_t(random_bits(seed, s + 256) % (1u << (3 * seed)));
    counts[5] += 1;
    check_code(optimized_code(counts), "a code made for random counts");
  }
}
TEST_CASE("the target: no barrier, and one launch besides the zeros") {
  const huffman_code code = standard_code(component_kind::luminance, coefficient_kind::ac);
  const device_buffer<std::uint8_t> counts(std::vector<std::uint8_t>(code.counts.begin(), code.counts.end()));
  const device_buffer<std::uint8_t> symbols(code.symbols);
  device_buffer<std::uint32_t> words(256), lengths(256);
  const auto launches = count_launches([&] { words_of_symbols(counts, symbols, words, lengths); });
  if (!has_counts(launches)) return;
  CHECK_MESSAGE(launches.size() == 1, launches.size(), " launches, 1 is enough");
  CHECK_MESSAGE(sum(launches).barriers == 0, sum(launches).barriers,
                " barriers: no thread need wait for another one");
  CHECK_MESSAGE(sum(launches).global_stores == 2 * code.symbols.size(), sum(launches).global_stores,
                " stores for ", code.symbols.size(), " symbols: each has a word and a length");
}
TEST_CASE("the target: no thread goes through the words of the others") {
  const huffman_code code = standard_code(component_kind::luminance, coefficient_kind::ac);
  const device_buffer<std::uint8_t> counts(std::vector<std::uint8_t>(code.counts.begin(), code.counts.end()));
  const device_buffer<std::uint8_t> symbols(code.symbols);
  device_buffer<std::uint32_t> words(256), lengths(256);
  check_longest_way(
      [&] { words_of_symbols(counts, symbols, words, lengths); }, 160, "162 symbols of 16 lengths",
      "A thread need only go through the lengths: does it go through the words before its own?");
}

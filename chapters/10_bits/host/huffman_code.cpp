// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "huffman_code.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <stdexcept>

namespace tutorial {
namespace {

constexpr int longest_word = 16;

/// The standard lists the symbols of AC by length. Those of 16 bits are simply all the others, in ascending
/// order: run and size in one byte, sizes 1 to 10, and the end of a block and a run of 16 zeros.
huffman_code with_all_others(const std::array<std::uint8_t, 16>& counts, std::vector<std::uint8_t> symbols) {
  std::array<bool, 256> listed = {};
  for (const std::uint8_t symbol : symbols) listed[symbol] = true;
  for (int run = 0; run < 16; ++run)
    for (int size = 1; size <= 10; ++size)
      if (const int symbol = run << 4 | size; !listed[std::size_t(symbol)])
        symbols.push_back(std::uint8_t(symbol));
  return {counts, std::move(symbols)};
}

huffman_code standard_dc(component_kind component) {
  std::vector<std::uint8_t> sizes(12);
  std::iota(sizes.begin(), sizes.end(), std::uint8_t{0});
  if (component == component_kind::luminance)  // table K.3
    return {{0, 1, 5, 1, 1, 1, 1, 1, 1}, sizes};
  return {{0, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1}, sizes};  // table K.4
}

huffman_code standard_ac(component_kind component) {
  if (component == component_kind::luminance)  // table K.5
    return with_all_others({0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 125},
                           {0x01, 0x02, 0x03, 0x00, 0x04, 0x11, 0x05, 0x12, 0x21, 0x31, 0x41, 0x06, 0x13,
                            0x51, 0x61, 0x07, 0x22, 0x71, 0x14, 0x32, 0x81, 0x91, 0xA1, 0x08, 0x23, 0x42,
                            0xB1, 0xC1, 0x15, 0x52, 0xD1, 0xF0, 0x24, 0x33, 0x62, 0x72, 0x82});
  return with_all_others(  // table K.6
      {0, 2, 1, 2, 4, 4, 3, 4, 7, 5, 4, 4, 0, 1, 2, 119},
      {0x00, 0x01, 0x02, 0x03, 0x11, 0x04, 0x05, 0x21, 0x31, 0x06, 0x12, 0x41, 0x51, 0x07, 0x61,
       0x71, 0x13, 0x22, 0x32, 0x81, 0x08, 0x14, 0x42, 0x91, 0xA1, 0xB1, 0xC1, 0x09, 0x23, 0x33,
       0x52, 0xF0, 0x15, 0x62, 0x72, 0xD1, 0x0A, 0x16, 0x24, 0x34, 0xE1, 0x25, 0xF1});
}

/// The depth of each symbol in the tree that joins the two rarest again and again. Symbol 256 stands for the
/// word of ones alone, which no symbol may have: it occurs once, and so it lies at the bottom.
std::array<int, 257> depths_in_tree(const symbol_counts& counts) {
  constexpr int none = -1;
  std::array<std::uint64_t, 257> weight = {};  // of the tree that a symbol is the root of; 0: of none
  std::copy(counts.begin(), counts.end(), weight.begin());
  weight[256] = 1;
  std::array<int, 257> depth = {}, next = {};  // next: the members of a tree, as a list
  next.fill(none);

  const auto rarest = [&](int but) {
    int found = none;
    for (int i = 0; i <= 256; ++i)
      if (weight[std::size_t(i)] != 0 && i != but &&
          (found == none || weight[std::size_t(i)] <= weight[std::size_t(found)]))
        found = i;
    return found;
  };
  for (;;) {
    const int first = rarest(none), second = rarest(first);
    if (second == none) return depth;
    weight[std::size_t(first)] += weight[std::size_t(second)];
    weight[std::size_t(second)] = 0;
    int last = first;
    for (int i = first; i != none; i = next[std::size_t(i)]) ++depth[std::size_t(i)], last = i;
    next[std::size_t(last)] = second;
    for (int i = second; i != none; i = next[std::size_t(i)]) ++depth[std::size_t(i)];
  }
}

}  // namespace

huffman_code standard_code(component_kind component, coefficient_kind coefficient) {
  return coefficient == coefficient_kind::dc ? standard_dc(component) : standard_ac(component);
}

// [optimized]
huffman_code optimized_code(const symbol_counts& counts) {
  if (std::all_of(counts.begin(), counts.end(), [](std::uint32_t count) { return count == 0; }))
    throw std::invalid_argument("optimized_code: no symbol occurs");
  const std::array<int, 257> depth = depths_in_tree(counts);
  std::array<int, 258> words = {};  // of each length; a tree of 257 symbols is at most 256 deep
  for (int i = 0; i <= 256; ++i)
    if (depth[std::size_t(i)] != 0) ++words[std::size_t(depth[std::size_t(i)])];

  // Too long: take a pair of the longest words. One of them gets the word that both began with. The other one
  // shares that of a shorter word, and both of those become one bit longer (T.81, figure K.3).
  for (int length = 257; length > longest_word; --length)
    while (words[std::size_t(length)] > 0) {
      int shorter = length - 2;
      while (words[std::size_t(shorter)] == 0) --shorter;
      words[std::size_t(length)] -= 2;
      words[std::size_t(length - 1)] += 1;
      words[std::size_t(shorter + 1)] += 2;
      words[std::size_t(shorter)] -= 1;
    }
  int longest = longest_word;
  while (words[std::size_t(longest)] == 0) --longest;
  --words[std::size_t(longest)];  // that of ones alone

  huffman_code code;
  for (int length = 1; length <= longest_word; ++length)
    code.counts[std::size_t(length - 1)] = std::uint8_t(words[std::size_t(length)]);
  for (int length = 1; length <= 256; ++length)  // of the tree: who was deeper has no shorter word
    for (int symbol = 0; symbol < 256; ++symbol)
      if (depth[std::size_t(symbol)] == length) code.symbols.push_back(std::uint8_t(symbol));
  return code;
}
// [optimized]

// [words]
code_words words_of(const huffman_code& code) {
  code_words words = {};
  std::uint32_t next = 0;
  std::size_t i = 0;
  for (int length = 1; length <= longest_word; ++length, next <<= 1)
    for (int k = 0; k < code.counts[std::size_t(length - 1)]; ++k, ++next, ++i) {
      if (i >= code.symbols.size() || next >> length != 0)
        throw std::invalid_argument("words_of: no code has these counts");
      words[code.symbols[i]] = {std::uint16_t(next), std::uint8_t(length)};
    }
  if (i != code.symbols.size()) throw std::invalid_argument("words_of: symbols without a word");
  return words;
}
// [words]

}  // namespace tutorial

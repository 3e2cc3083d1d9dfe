// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "reading_tables.hpp"

#include <cstddef>

namespace tutorial {
namespace {

struct word_of_table {
  unsigned bits;
  int length, symbol;
};

/// In the order of the file, shortest first (ITU-T T.81, C.2). A symbol may have several.
std::vector<word_of_table> words_in_order(const huffman_code& code) {
  std::vector<word_of_table> words;
  unsigned next = 0;
  for (int length = 1; length <= int(code.counts.size()); ++length, next <<= 1)
    for (int k = 0; k < code.counts[std::size_t(length - 1)]; ++k, ++next)
      words.push_back({next, length, code.symbols[words.size()]});
  return words;
}

}  // namespace

std::vector<std::uint16_t> reading_table_of(const huffman_code& code, coefficient_kind kind) {
  std::vector<std::uint16_t> table(std::size_t{1} << first_look, 0);
  const std::vector<word_of_table> words = words_in_order(code);
  // The longest words first: the first one that begins with some 10 bits says how wide their table must be.
  for (std::size_t i = words.size(); i-- > 0;) {
    const word_of_table& word = words[i];
    if (kind == coefficient_kind::ac && word.symbol % 16 == 0 && word.symbol != 0x00 && word.symbol != 0xF0)
      continue;
    const int behind = word.length - first_look;  // bits that the first entry does not see
    std::size_t begin = word.bits;
    int free = -behind;  // bits of an index that are not the word's
    if (behind > 0) {
      const std::size_t first = word.bits >> behind;
      if (table[first] == 0) {
        table[first] = std::uint16_t(0x8000u | unsigned(behind - 1) << 12 | unsigned(table.size() / 2));
        table.resize(table.size() + (std::size_t{1} << behind), 0);
      }
      free = (table[first] >> 12 & 7) + 1 - behind;
      begin = (word.bits & ((1u << behind) - 1)) << free;
      begin += 2 * std::size_t(table[first] & 0x0fff);
    } else {
      begin <<= free;
    }
    for (std::size_t k = 0; k < std::size_t{1} << free; ++k)
      table[begin + k] = std::uint16_t(word.length << 8 | word.symbol);
  }
  return table;
}

}  // namespace tutorial

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

/// 0 where no block has such a symbol.
std::uint32_t entry_of(const word_of_table& word, coefficient_kind kind) {
  const bool is_dc = kind == coefficient_kind::dc;
  const int size = is_dc ? word.symbol : word.symbol % 16, run = is_dc ? 0 : word.symbol / 16;
  const bool ends = !is_dc && word.symbol == 0x00;
  if (size > 15 || (!is_dc && size == 0 && !ends && run != 15)) return 0;
  const int advance = ends ? read_symbol::end_of_block : run + 1;
  return unsigned(word.length) << 24 | unsigned(32 - size) << 16 | unsigned(advance) << 8 |
         unsigned(word.length + size);
}

constexpr std::uint32_t none = 32u << 16 | unsigned(read_symbol::none) << 8 | 1;

}  // namespace

std::vector<std::uint32_t> reading_table_of(const huffman_code& code, coefficient_kind kind) {
  std::vector<std::uint32_t> table(std::size_t{1} << first_look, none);
  const std::vector<word_of_table> words = words_in_order(code);
  // The longest words first: the first one that begins with some 10 bits says how wide their table must be.
  for (std::size_t i = words.size(); i-- > 0;) {
    const word_of_table& word = words[i];
    const int behind = word.length - first_look;  // bits that the first entry does not see
    const std::uint32_t entry = entry_of(word, kind);
    if (entry == 0) continue;
    std::size_t begin = word.bits;
    int free = -behind;  // bits of an index that are not the word's
    if (behind > 0) {
      const std::size_t first = word.bits >> behind;
      if (table[first] == none) {
        table[first] = unsigned(table.size()) << 16 | unsigned(32 - behind);
        table.resize(table.size() + (std::size_t{1} << behind), none);
      }
      const read_symbol beginning{table[first]};
      free = 32 - beginning.next_shift() - behind;
      begin = (word.bits & ((1u << behind) - 1)) << free;
      begin += std::size_t(beginning.next_table());
    } else {
      begin <<= free;
    }
    for (std::size_t k = 0; k < std::size_t{1} << free; ++k) table[begin + k] = entry;
  }
  return table;
}

std::vector<std::uint32_t> striding_table_of(std::vector<std::uint32_t> table, int most_words) {
  constexpr std::size_t looks = std::size_t{1} << first_look;
  const std::vector<std::uint32_t> single = table;
  for (std::size_t i = 0; i < table.size(); ++i) {
    const read_symbol first{single[i]};
    if (i < looks && first.goes_on()) continue;
    int bits = first.bits(), advance = first.advance();
    for (int n = 1; i < looks && n < most_words; ++n) {
      if (bits >= first_look || advance > 16 * n) break;  // nothing is left, or the block has ended
      const read_symbol next{single[i << bits & (looks - 1)]};
      if (next.goes_on() || next.advance() == read_symbol::none) break;
      if (bits + next.word_bits() > first_look || bits + next.bits() > 31) break;
      bits += next.bits(), advance += next.advance();
    }
    table[i] = unsigned(first.advance()) << 24 | unsigned(first.bits()) << 16 | unsigned(advance) << 8 |
               unsigned(bits);
  }
  return table;
}

}  // namespace tutorial

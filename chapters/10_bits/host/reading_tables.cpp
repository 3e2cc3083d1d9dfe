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

/// The first `known` bits of the word have been read. 0 where no block has such a symbol.
std::uint32_t entry_of(const word_of_table& word, int known, coefficient_kind kind) {
  const bool is_dc = kind == coefficient_kind::dc;
  const int size = is_dc ? word.symbol : word.symbol % 16, run = is_dc ? 0 : word.symbol / 16;
  const bool ends = !is_dc && word.symbol == 0x00;
  if (size > 15 || (!is_dc && size == 0 && !ends && run != 15)) return 0;
  const int advance = ends ? read_symbol::end_of_block : run + 1;
  const int bits = word.length - known;
  return unsigned(advance) << 24 | unsigned(32 - size) << 16 | unsigned(bits) << 8 | unsigned(bits + size);
}

}  // namespace

std::vector<std::uint32_t> reading_table_of(const huffman_code& code, coefficient_kind kind) {
  constexpr std::uint32_t none = unsigned(read_symbol::none) << 24 | 32u << 16 | 1;
  std::vector<std::uint32_t> table(std::size_t{1} << first_look, none);
  const std::vector<word_of_table> words = words_in_order(code);
  // The longest words first: the first one that begins with some 10 bits says how wide their table must be.
  for (std::size_t i = words.size(); i-- > 0;) {
    const word_of_table& word = words[i];
    const int behind = word.length - first_look;  // bits that the first entry does not see
    const std::uint32_t entry = entry_of(word, behind > 0 ? first_look : 0, kind);
    if (entry == 0) continue;
    std::size_t begin = word.bits;
    int free = -behind;  // bits of an index that are not the word's
    if (behind > 0) {
      const std::size_t first = word.bits >> behind;
      if (table[first] == none) {
        table[first] = unsigned(table.size()) << 10 | unsigned(32 - behind) << 5 | first_look;
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

}  // namespace tutorial

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Huffman codes as a kernel wants them that reads: from the next bits to a symbol in one look-up or two.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <vector>

#include "10_bits/host/huffman_code.hpp"

namespace tutorial {

/// So many bits of 32 select the first entry, and so many do not.
inline constexpr int first_look = 10, first_shift = 32 - first_look;

/// What the next bits of a stream begin with: a word, and what it says of the level behind it; or of several
/// words how far they lead. Words of more than 10 bits have a second table for each 10 bits that they begin
/// with. Then the first entry leads there.
struct read_symbol {
  /// A block is complete when a lane gets to this place of the path, behind the last level;
  static constexpr int all_places = 64;
  /// or when it gets beyond this one: the symbol for the end of a block leads there from any place but 0.
  static constexpr int end_of_block = 128;
  /// Where no word begins so: from any place to between the two.
  static constexpr int none = 65;

  std::uint32_t entry;

  /// Of the word and of the extra bits behind it, or of all words. 1 to 31.
  __host__ __device__ int bits() const { return int(entry & 31); }
  /// How many places further on the zig-zag path the next symbol is.
  __host__ __device__ int advance() const { return int(entry >> 8 & 255); }

  /// Of one word, without the extra bits.
  __host__ __device__ int word_bits() const { return int(entry >> 24); }
  /// 32 minus the extra bits.
  __host__ __device__ int shift() const { return int(entry >> 16 & 255); }

  /// Of several words: bits() of the first one,
  __host__ __device__ int first_bits() const { return int(entry >> 16 & 31); }
  /// and its advance().
  __host__ __device__ int first_advance() const { return int(entry >> 24); }

  /// Whether this is the beginning of a longer word.
  __host__ __device__ bool goes_on() const { return advance() == 0; }
  /// Then: the place of its second table behind the first one.
  __host__ __device__ int next_table() const { return int(entry >> 16); }
  /// And 32 minus the bits that select there.
  __host__ __device__ int next_shift() const { return int(entry & 31); }
};

/// The table of a code that words_of() takes, and of one without words: 1024 entries, then the second tables.
/// Symbols that no block has get none: of a DC those above 15, of others those of size 0 that are neither the
/// end of the block nor a run of 16 zeros. Never more than 3392 entries: a table with w bits holds at least
/// w + 1 of the 256 words, but for the last one, which may hold only one.
std::vector<std::uint32_t> reading_table_of(const huffman_code& code, coefficient_kind kind);

/// So many, because their runs lead from no place of the path beyond 127, where end_of_block would begin.
inline constexpr int most_words_of_look = 4;
/// From a table of ACs one that leads over at most that many words at once, as far as 10 bits show them. None
/// of them is behind the end of a block that has a symbol for it; a lane that gets beyond all_places
/// otherwise goes over the first word alone.
std::vector<std::uint32_t> striding_table_of(std::vector<std::uint32_t> table, int most_words);

}  // namespace tutorial

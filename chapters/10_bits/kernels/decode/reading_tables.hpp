// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// Huffman codes as a kernel wants them that reads: from the next bits to a symbol in one look-up or two.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <vector>

#include "10_bits/host/huffman_code.hpp"

namespace tutorial {

/// So many bits select the first entry.
inline constexpr int first_look = 10;

/// What the next bits of a stream begin with: a word, and what it says of the level behind it.
struct read_symbol {
  /// A block is complete when a lane gets to this place of the path, behind the last level;
  static constexpr int all_places = 64;
  /// or when it gets beyond this one: the symbol for the end of a block leads there from any place but 0.
  static constexpr int end_of_block = 128;
  /// Where no word begins so: from any place to between the two.
  static constexpr int none = 65;

  std::uint32_t entry;

  /// Of the word and of the extra bits behind it. 1 to 31.
  __host__ __device__ int bits() const { return int(entry & 255); }
  /// Of the word alone.
  __host__ __device__ int word_bits() const { return int(entry >> 8 & 255); }
  /// 32 minus the extra bits.
  __host__ __device__ int shift() const { return int(entry >> 16 & 255); }
  /// How many places further on the zig-zag path the next symbol is.
  __host__ __device__ int advance() const { return int(entry >> 24); }
};

/// The word at the top of `bits`, by the table of its code. Words of more than 10 bits have a second table
/// for each 10 bits that they begin with: there bits 0 to 7 of the entry are 0, bits 8 to 15 say how many of
/// the 32 bits behind the 10 do not select, and the upper half is the place where that table begins.
__host__ __device__ inline read_symbol look_up(const std::uint32_t* table, std::uint32_t bits) {
  std::uint32_t entry = table[bits >> (32 - first_look)];
  if ((entry & 255) == 0) entry = table[(entry >> 16) + (bits << first_look >> (entry >> 8 & 31))];
  return {entry};
}

/// The table of a code that words_of() takes, and of one without words: 1024 entries, then the second tables.
/// Symbols that no block has get none: of a DC those above 15, of others those of size 0 that are neither the
/// end of the block nor a run of 16 zeros. Never more than 3392 entries: a table with w bits holds at least
/// w + 1 of the 256 words, but for the last one, which may hold only one.
std::vector<std::uint32_t> reading_table_of(const huffman_code& code, coefficient_kind kind);

}  // namespace tutorial

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

/// What the next bits of a stream begin with.
struct read_symbol {
  int length;  ///< Bits of the word; 0: no word begins so.
  int symbol;
};

/// The word at the top of `bits`, by the table of its code. An entry is length << 8 | symbol. Words of more
/// than 10 bits have a second table for each 10 bits that they begin with: there the entry is
/// 0x8000 | (w - 1) << 12 | half of the place where that table begins, and the w bits behind the 10 select.
__host__ __device__ inline read_symbol look_up(const std::uint16_t* table, std::uint32_t bits) {
  unsigned entry = table[bits >> (32 - first_look)];
  if (entry >= 0x8000) {
    const unsigned begin = 2 * (entry & 0x0fff), width = (entry >> 12 & 7) + 1;
    entry = table[begin + (bits << first_look >> (32 - width))];
  }
  return {int(entry >> 8), int(entry & 255)};
}

/// The table of a code that words_of() takes, and of one without words: 1024 entries, then the second tables.
/// AC symbols of size 0 that are neither the end of the block nor a run of 16 zeros get none. Never more than
/// 3392 entries: a table with w bits holds at least w + 1 of the 256 words, but for the last one, which may
/// hold only one.
std::vector<std::uint16_t> reading_table_of(const huffman_code& code, coefficient_kind kind);

}  // namespace tutorial

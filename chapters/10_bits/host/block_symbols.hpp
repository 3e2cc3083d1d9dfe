// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What a baseline file says about one 8x8 block, symbol by symbol. For host and device.
#pragma once

#include <cuda_runtime.h>

#include "huffman_code.hpp"

namespace tutorial {

/// A symbol and the bits that follow its word in the file.
struct coded_symbol {
  coefficient_kind kind;  ///< Which of the component's two codes.
  int symbol;             ///< DC: size. AC: run << 4 | size; 0x00 ends the block, 0xF0 is a run of 16 zeros.
  unsigned extra;         ///< The low `size` bits: which of the numbers of that size.
  int size;
};

/// How many bits |value| has: 0 for 0, n for 2^(n-1) .. 2^n - 1.
__host__ __device__ inline int size_of_level(int value) {
  int size = 0;
  for (unsigned rest = unsigned(value < 0 ? -value : value); rest != 0; rest >>= 1) ++size;
  return size;
}

/// A number of that size in `size` bits: itself if positive; if negative, the number one below it, whose top
/// bit is 0 (ITU-T T.81, F.1.2.1).
__host__ __device__ inline unsigned extra_bits(int value, int size) {
  return unsigned(value < 0 ? value - 1 : value) & ((1u << size) - 1);
}

// [symbols]
/// Calls item(coded_symbol) for each symbol of a block, in the order of the file (ITU-T T.81, F.1.2).
/// level_at(k) is the level at place k of the zig-zag path, 1 <= k < 64; `difference` is its DC
/// minus the previous DC.
template <class LevelAt, class Item>
__host__ __device__ void for_each_symbol(int difference, LevelAt level_at, Item item) {
  const int size_of_dc = size_of_level(difference);
  item(coded_symbol{coefficient_kind::dc, size_of_dc, extra_bits(difference, size_of_dc), size_of_dc});
  int run = 0;  // zeros since the last level
  for (int k = 1; k < 64; ++k) {
    const int level = level_at(k);
    if (level == 0) {
      ++run;
      continue;
    }
    for (; run > 15; run -= 16) item(coded_symbol{coefficient_kind::ac, 0xF0, 0, 0});
    const int size = size_of_level(level);
    item(coded_symbol{coefficient_kind::ac, run << 4 | size, extra_bits(level, size), size});
    run = 0;
  }
  if (run > 0) item(coded_symbol{coefficient_kind::ac, 0x00, 0, 0});
}
// [symbols]

}  // namespace tutorial

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// A sum over all tiles before this one, while they are still being computed: decoupled look-back (Merrill
// and Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", NVIDIA NVR-2016-002).
#pragma once

#include <cstdint>

#include "tile_encoder.hpp"

namespace tutorial {

/// What a tile tells those behind it, in one word, so that it is told at once or not at all:
///     bits 48 to 63   which call; words of earlier calls say nothing
///     bits 46 and 47  1: `sum` is the tile's own; 2: that of all tiles up to it
///     bits 39 to 45   its last 7 bits, where the tiles' bits are summed
///     bits 0 to 38    the sum
using tile_word = unsigned long long;

enum class tile_sum : unsigned { own = 1, all = 2 };

/// A word with these parts; `sum` is below 2^39.
__device__ inline tile_word tile_word_of(unsigned call, tile_sum kind, unsigned tail, std::uint64_t sum) {
  return tile_word{call} << 48 | tile_word{unsigned(kind)} << 46 | tile_word{tail} << 39 | sum;
}
/// Which call the word is from.
__device__ inline unsigned call_of(tile_word word) { return unsigned(word >> 48); }
/// Whether its sum is that of all tiles up to its own.
__device__ inline bool is_of_all(tile_word word) { return (word >> 46 & 3) == unsigned(tile_sum::all); }
/// The last 7 bits of its tile.
__device__ inline unsigned tail_of(tile_word word) { return unsigned(word >> 39) & 127; }
/// Its sum.
__device__ inline std::uint64_t sum_of(tile_word word) { return word & ((1ull << 39) - 1); }

/// Which tile a block of threads has, and in which call.
struct tile_ticket {
  int tile;
  unsigned call;  ///< 1 to 65535.
};

/// By one thread of each block; `tiles` blocks do it in this call. Tiles are numbered as they begin.
__device__ inline tile_ticket draw_ticket(const tile_board& board, int tiles) {
  const unsigned long long drawn = atomicAdd(board.drawn, 1ull);
  const tile_ticket mine{int(drawn & 0xffffffff), unsigned(drawn >> 32) + 1};
  if (mine.tile + 1 < tiles) return mine;
  // All have drawn: the board is ready for the next call. When numbers of calls begin anew, no word may be
  // left that has one of them: this call overwrites the others.
  const bool was_last = mine.call == 65535;
  atomicExch(board.drawn, was_last ? 0ull : static_cast<unsigned long long>(mine.call) << 32);
  for (int i = was_last ? tiles : board.members; i < board.members; ++i)
    board.words[0][i] = board.words[1][i] = 0;
  return mine;
}

/// The words of one sum in a call.
struct tile_sums {
  tile_word* words;
  unsigned call;
};

// [look_back]
/// What a tile must know about the tiles before it: their sum, and the end of the nearest one.
struct tiles_before {
  std::uint64_t sum;
  unsigned tail;  ///< Of the previous tile.
};

/// The sum over the tiles first .. tile - 1, by a whole warp; first < tile. 32 tiles at a time, backward
/// until one of them knows the sum of all tiles up to it. All of them have begun, because tiles are numbered
/// as they begin: a block that waits here waits for blocks that run.
__device__ inline tiles_before look_back(const tile_sums& sums, int first, int tile) {
  const volatile tile_word* const told = sums.words;
  const int lane = threadIdx.x % 32;
  tiles_before result{0, 0};
  for (int last = tile - 1;; last -= 32) {
    const int mine = last - lane;
    tile_word word = tile_word_of(sums.call, tile_sum::all, 0, 0);  // before the first one: nothing
    if (mine >= first) {
      do word = told[mine];
      while (call_of(word) != sums.call);
    }
    if (last == tile - 1) result.tail = tail_of(__shfl_sync(~0u, word, 0));
    const unsigned whole = __ballot_sync(~0u, is_of_all(word));
    // Lane 0 has the nearest tile. The first tile that knows the sum of all includes the tiles behind it.
    std::uint64_t sum = whole == 0 || lane < __ffs(whole) ? sum_of(word) : 0;
    for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(~0u, sum, distance);
    result.sum += sum;
    if (whole != 0) return result;
  }
}
// [look_back]

/// Publishes a sum of a tile. By a whole warp.
__device__ inline void tell(const tile_sums& sums, int tile, tile_sum kind, std::uint64_t sum,
                            unsigned tail = 0) {
  if (threadIdx.x % 32 == 0)
    static_cast<volatile tile_word*>(sums.words)[tile] = tile_word_of(sums.call, kind, tail, sum);
}

/// The sum over the tiles first .. tile - 1, each of which calls this with its own sum. Publishes that at
/// once, and the sum of all up to it as soon as that is known. By a whole warp.
__device__ inline tiles_before sum_of_tiles_before(const tile_sums& sums, int first, int tile,
                                                   std::uint64_t own, unsigned tail = 0) {
  tell(sums, tile, tile == first ? tile_sum::all : tile_sum::own, own, tail);
  if (tile == first) return {0, 0};
  const tiles_before before = look_back(sums, first, tile);
  tell(sums, tile, tile_sum::all, before.sum + own, tail);
  return before;
}

}  // namespace tutorial

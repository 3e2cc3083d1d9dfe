// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// From the pixels of a tile to its bits, in shared memory: a thread takes an 8x8 block.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "09_dct_compression/kernels/block_memory.cuh"
#include "09_dct_compression/kernels/factorized_dct.cuh"
#include "10_bits/host/coding_tables.hpp"
#include "common/device/early_start.cuh"
#include "common/device/for_each_constant.cuh"
#include "tile_input.hpp"
#include "tiles.hpp"

namespace tutorial {

/// Words of 32 bits that a thread has in shared memory for the code of its block. Where a block of a tile
/// needs more, its bits are put together in device memory.
constexpr int words_per_block = 12;
/// No block has a longer code: 16 + 11 bits for the DC, 16 + 10 for each of the others.
constexpr int most_words_per_block = (27 + 63 * 26 + 31) / 32;
constexpr int most_words_of_tile = most_words_per_block * blocks_in_tile;

/// Place k of the zig-zag path, as 8 v + u.
__host__ __device__ constexpr int zigzag_place(int k) {
  for (int sum = 0;; ++sum) {  // the anti-diagonals v + u = sum
    const int low = sum > 7 ? sum - 7 : 0, count = (sum < 7 ? sum : 7) - low + 1;
    if (k < count) {
      const int one = low + k, other = sum - one;
      return sum % 2 == 0 ? 8 * other + one : 8 * one + other;
    }
    k -= count;
  }
}

/// What a thread knows of its block besides the levels themselves.
struct levels_of_block {
  /// Bit 31 - k % 32 of mask[k / 32]: the level at place k is not 0. Place 0 never.
  unsigned mask[2] = {0, 0};
  int dc = 0;
};

// [levels]
/// The levels of a block to shared memory, two a word: word i at words[i * blocks_in_tile] holds place
/// i % 16 + 32 (i / 16) in its upper half and the place 16 further on in its lower half. So 16 words give the
/// mask of 32 places, by adding: the sum of word and word is a shift to the left.
__device__ __forceinline__ levels_of_block make_levels(const tile_input& in, const scan_block& at,
                                                       std::uint32_t* words) {
  const int c = at.component;
  pixel_row rows[8];
  load_rows(in.pixels[c], std::size_t(in.pitch[c]),
            pixel_block{8 * at.column, 8 * at.row, in.width[c], in.height[c]}, rows);
  float x[64];
#pragma unroll
  for (int i = 0; i < 64; ++i) x[i] = static_cast<float>(byte_of(rows[i / 8], i % 8));
#pragma unroll
  for (int col = 0; col < 8; ++col) dct8_scaled<8>(x + col);
#pragma unroll
  for (int v = 0; v < 8; ++v) dct8_scaled<1>(x + 8 * v);
  x[0] -= 64 * 128;  // the level shift
#pragma unroll
  for (int i = 0; i < 64; ++i) x[i] = multiply_add(x[i], in.factors[c].at[i], whole_in_low_bits);

  levels_of_block result;
  for_each_constant<32>([&](auto index) {
    constexpr int i = decltype(index)::value, upper = zigzag_place(i % 16 + 32 * (i / 16)),
                  lower = zigzag_place(i % 16 + 32 * (i / 16) + 16);
    const unsigned word = __byte_perm(__float_as_uint(x[lower]), __float_as_uint(x[upper]), 0x5410);
    words[i * blocks_in_tile] = word;
    result.mask[i / 16] += result.mask[i / 16] + __vminu2(word, 0x00010001u);  // 1 in each half that is not 0
  });
  result.mask[0] &= 0x7fffffffu;
  result.dc = static_cast<std::int16_t>(__float_as_uint(x[0]) & 0xffffu);
  return result;
}
// [levels]

/// The level of the DC of any block, from its pixels: their sum needs no DCT, and is exact in any order. By
/// all lanes of a warp together.
__device__ inline int dc_of_block(const tile_input& in, const scan_block& at) {
  const int lane = threadIdx.x % 32, c = at.component;
  int sum = 0;
  for (int i = lane; i < 64; i += 32) {  // beyond the edge the last row and column are repeated
    const int row = min(8 * at.row + i / 8, in.height[c] - 1),
              col = min(8 * at.column + i % 8, in.width[c] - 1);
    sum += in.pixels[c][row * in.pitch[c] + col];
  }
  for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(~0u, sum, distance);
  const float level = multiply_add(float(sum - 64 * 128), in.factors[c].at[0], whole_in_low_bits);
  return static_cast<std::int16_t>(__float_as_uint(level) & 0xffffu);
}

/// For each component, the DC that predicts its first block in the tile: 0 where an interval begins. Warp c
/// does component c; visible to the block after its next barrier.
__device__ inline void find_dc_before(const tile_input& in, const scan_layout& scan, const scan_tile& tile,
                                      int* dc_before) {
  const int c = threadIdx.x / 32;
  if (c >= scan.components) return;
  int block = tile.first;
  while (scan.at(block).component != c) ++block;
  const int before = scan.predecessor(block, tile.first_of_interval);
  const int dc = before < 0 ? 0 : dc_of_block(in, scan.at(before));
  if (threadIdx.x % 32 == 0) dc_before[c] = dc;
}

/// Bits gathered to words: item(i, word) gets word i again and again, as it fills up.
template <class Word>
struct word_writer {
  Word word;
  unsigned current = 0;
  int used = 0, i = 0;

  // Every piece is stored at once, whether its word is full or not: that is cheaper than asking.
  /// Appends the bits of a code.
  __device__ __forceinline__ void put(coded_bits code) {
    current |= code.bits() >> used;
    word(i, current);
    const int end = used + code.length();
    if (end >= 32) {
      current = used == 0 ? 0 : code.bits() << (32 - used);
      ++i;
    }
    used = end & 31;
  }
  /// Hands over the last word, and returns the number of bits.
  __device__ __forceinline__ int finish() {
    if (used != 0) word(i, current);
    return 32 * i + used;
  }
};

// [walk]
/// The symbols of a block: dc(size, extra bits), then ac(run, level) for each level that is not 0, and
/// special(symbol) for a run of 16 zeros and for the end of the block. The thread walks along its mask from
/// one level that is not 0 to the next.
template <class Dc, class Ac, class Special>
__device__ __forceinline__ void for_each_nonzero(int difference, const unsigned (&mask)[2],
                                                 const std::uint32_t* words, Dc dc, Ac ac, Special special) {
  const int dc_size = size_of_level(difference);
  dc(dc_size, extra_bits(difference, dc_size));
  int next = 1;  // the place after the last level
  for (int half = 0; half < 2; ++half)
    for (unsigned left = mask[half]; left != 0;) {
      const int k = __clz(left);
      left ^= 0x80000000u >> k;
      const std::uint32_t pair = words[(k % 16 + 16 * half) * blocks_in_tile];
      const int level = static_cast<std::int16_t>(k < 16 ? pair >> 16 : pair & 0xffffu);
      int run = k + 32 * half - next;
      next = k + 32 * half + 1;
#pragma unroll 1  // rarely more than 15
      for (; run > 15; run -= 16) special(0xF0);
      ac(run, level);
    }
  if (next != 64) special(0x00);
}

/// The code of a block, 32 bits at a time to word(i, bits), the last word padded with zeros; word(i, ...)
/// is called several times for each i, and the last call counts. Returns the number of bits.
template <class Word>
__device__ __forceinline__ int code_block(int difference, const unsigned (&mask)[2],
                                          const std::uint32_t* words, const class_tables& tables, Word word) {
  constexpr int usual = class_tables::usual_levels;
  word_writer<Word> out{word};
  for_each_nonzero(
      difference, mask, words, [&](int size, unsigned extra) { out.put(with_extra(tables.dc[size], extra)); },
      [&](int run, int level) {
        coded_bits code;
        if (level >= -usual && level < usual) {
          code = tables.usual[2 * usual * run + usual + level];
        } else {
          const int size = size_of_level(level);
          code = with_extra(tables.ac[run << 4 | size], extra_bits(level, size));
        }
        out.put(code);
      },
      [&](int symbol) { out.put(tables.ac[symbol]); });
  return out.finish();
}
// [walk]

/// The sum over the lanes before this one, by a whole warp.
__device__ inline int sum_of_lanes_before(int value) {
  const int lane = threadIdx.x % 32;
  int sum = value;
  for (int distance = 1; distance < 32; distance *= 2) {
    const int other = __shfl_up_sync(~0u, sum, distance);
    if (lane >= distance) sum += other;
  }
  return sum - value;
}

/// The sum of `value` over the threads before this one, and over all. Has barriers: by the whole block.
__device__ inline int sum_before(int value, int& total, int* warp_sums) {
  const int warp = threadIdx.x / 32;
  int before = sum_of_lanes_before(value);
  __syncthreads();  // all have read the sums of the call before
  if (threadIdx.x % 32 == 31) warp_sums[warp] = before + value;
  __syncthreads();  // all warps have told theirs
  total = 0;
  for (int i = 0; i < blocks_in_tile / 32; ++i) {
    if (i < warp) before += warp_sums[i];
    total += warp_sums[i];
  }
  return before;
}

/// ORs 32 bits into a row of words, the first one at bit `position`, counted from the top of word 0.
__device__ inline void or_into(std::uint32_t* words, unsigned position, std::uint32_t bits) {
  const unsigned shift = position % 32;
  atomicOr(words + position / 32, bits >> shift);
  const std::uint32_t rest = shift == 0 ? 0 : bits << (32 - shift);
  if (rest != 0) atomicOr(words + position / 32 + 1, rest);
}

/// The shared memory of a tile.
struct tile_memory {
  std::uint32_t levels[32 * blocks_in_tile];  ///< Later, where the blocks' codes are short: the tile's bits.
  std::uint32_t codes[words_per_block * blocks_in_tile];
  class_tables tables[2];
  int dc[blocks_in_tile], dc_before[3], warp_sums[blocks_in_tile / 32];
};

/// The bits of a tile, the first one at the top of words[0], in shared or in device memory.
struct tile_bits {
  const std::uint32_t* words;
  int count;
};

// [tile]
/// Codes a tile, and puts its blocks' bits together. `spare` is device memory for most_words_of_tile words,
/// for a tile with a block whose code is longer than words_per_block words. All threads of the block
/// call it; afterward, each of them can read the bits.
__device__ inline tile_bits make_tile_bits(const tile_input& in, const scan_layout& scan,
                                           const scan_tile& tile, const device_coding* coding,
                                           tile_memory& memory, std::uint32_t* spare) {
  const int t = threadIdx.x;
  const bool mine = t < tile.count;
  const int block = tile.first + t;
  const scan_block at = scan.at(mine ? block : tile.first);
  levels_of_block levels;
  if (mine && at.is_real) levels = make_levels(in, at, memory.levels + t);
  memory.dc[t] = levels.dc;
  find_dc_before(in, scan, tile, memory.dc_before);

  wait_for_the_one_before();  // it may make the codes, while the first tiles have their DCT
  const auto* const from = reinterpret_cast<const uint4*>(coding->of);
  const int classes = scan.components == 1 ? 1 : 2;
  for (int i = t; i < classes * int(sizeof(class_tables) / sizeof(uint4)); i += blocks_in_tile)
    reinterpret_cast<uint4*>(memory.tables)[i] = from[i];
  __syncthreads();  // tables, DCs and those before the tile are there

  int difference = 0;
  if (mine && at.is_real) {
    const int before = scan.predecessor(block, tile.first_of_interval);
    difference =
        levels.dc - (before >= tile.first ? memory.dc[before - tile.first] : memory.dc_before[at.component]);
  }
  const class_tables& tables = memory.tables[at.component == 0 ? 0 : 1];
  int length = 0;
  if (mine)
    length = code_block(difference, levels.mask, memory.levels + t, tables, [&](int i, std::uint32_t word) {
      if (i < words_per_block) memory.codes[i * blocks_in_tile + t] = word;
    });
  int bits = 0;
  const int begin = sum_before(length, bits, memory.warp_sums);
  const bool too_long =
      __syncthreads_or(length > 32 * words_per_block) != 0;  // and all have read their levels

  if (!too_long) {
    for (int i = t; i < bits / 32 + 2; i += blocks_in_tile) memory.levels[i] = 0;
    __syncthreads();  // zeros before the first bit
    for (int i = 0; 32 * i < length; ++i)
      or_into(memory.levels, unsigned(begin + 32 * i), memory.codes[i * blocks_in_tile + t]);
    __syncthreads();  // all bits are there
    return {memory.levels, bits};
  }
  for (int i = t; i < bits / 32 + 2; i += blocks_in_tile) spare[i] = 0;
  __syncthreads();  // likewise
  if (mine)         // coded again: word(i, ...) is called with more and more bits of word i
    code_block(difference, levels.mask, memory.levels + t, tables,
               [&](int i, std::uint32_t word) { or_into(spare, unsigned(begin + 32 * i), word); });
  __syncthreads();  // likewise
  return {spare, bits};
}
// [tile]

}  // namespace tutorial

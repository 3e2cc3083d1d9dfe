// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// A thread takes an 8x8 block from its bits to its samples; its levels never leave the chip. The transform
// is libjpeg's in whole numbers (islow), from Loeffler, Ligtenberg and Moschytz 1989: so every bit is its.
#include <algorithm>

#include "09_dct_compression/kernels/block_memory.cuh"
#include "10_bits/kernels/encode/tile_code.cuh"
#include "common/device/check.hpp"
#include "piece_reader.cuh"

namespace tutorial {
namespace {

constexpr int threads = blocks_in_tile, pairs = 32;

/// 64 numbers of each thread in shared memory, two a word: rows r and r + 4 of the block together. Behind
/// them a word for what is no number of the block.
struct coefficient_pairs {
  std::uint32_t words[pairs + 1][threads];

  /// Where place k of a block's rows, one after the other, is behind the first one: in halves of words.
  static __device__ int halves_to(int k) { return k % 32 * 2 * threads + k / 32; }
  static constexpr int halves_to_none = pairs * 2 * threads;
  /// That number of this thread.
  __device__ std::int16_t& at(int halves) {
    return reinterpret_cast<std::int16_t*>(&words[0][threadIdx.x])[halves];
  }
  __device__ int upper(int row, int col) const { return std::int16_t(words[8 * row + col][threadIdx.x]); }
  __device__ int lower(int row, int col) const { return int(words[8 * row + col][threadIdx.x]) >> 16; }
};

/// Where the level of place k of the zig-zag path goes, and what it is multiplied by. A reader that has
/// left the block is behind the path, and its levels go nowhere.
struct scaled_place {
  std::uint16_t halves, step;
};
constexpr int path_places = 62 + read_symbol::end_of_block + 1;  // from the last one but one

// [levels]
/// The levels of a block, times their steps; true if they are valid: each symbol exists, no run leaves the
/// block, and its bits end in its interval. Valid or not, it reads at most 63 symbols, which have fewer bits
/// than the zeros behind the last byte.
__device__ bool read_levels(const scan_bits& scan, const std::uint32_t* table, const scaled_place* path,
                            const block_place& place, unsigned stop, coefficient_pairs& coefficients) {
  unsigned bit = place.bit;
  if (bit > stop) return false;
  coefficients.at(0) = std::int16_t(place.dc * path[0].step);
  const words_in_order words{scan.words};
  bit_window<words_in_order> window(words, bit);
  int k = 0;
  do {
    const std::uint32_t bits = window.at(bit);
    const read_symbol symbol = look_up(table, bits);
    k += symbol.advance();
    const scaled_place to = path[k];
    coefficients.at(to.halves) = std::int16_t(level_of(bits << symbol.word_bits(), symbol.shift()) * to.step);
    const unsigned behind = bit + unsigned(symbol.bits());
    window.go_on(bit, behind);
    bit = behind;
  } while (k < 63);
  return bit <= stop && (k == 63 || k >= read_symbol::end_of_block);
}
// [levels]

// Fixed-point numbers with 13 digits behind the point.
constexpr int digits = 13, kept_digits = 2;

/// Eight numbers of an inverse DCT, with `digits` more digits than what came in, and `more` added to each.
__device__ __forceinline__ void inverse_dct8(const int (&x)[8], int more, int (&y)[8]) {
  // Even part: a rotation by 6 pi / 16.
  const int both = (x[2] + x[6]) * 4433;
  const int low = both - x[6] * 15137, high = both + x[2] * 6270;
  const int sum = (x[0] + x[4]) * (1 << digits) + more, difference = (x[0] - x[4]) * (1 << digits) + more;
  const int even[4] = {sum + high, difference + low, difference - low, sum - high};
  // Odd part.
  const int outer = (x[7] + x[1]) * -7373, inner = (x[5] + x[3]) * -20995;
  const int all = (x[7] + x[3] + x[5] + x[1]) * 9633;
  const int first = (x[7] + x[3]) * -16069 + all, second = (x[5] + x[1]) * -3196 + all;
  const int odd[4] = {x[1] * 12299 + outer + second, x[3] * 25172 + inner + first,
                      x[5] * 16819 + inner + second, x[7] * 2446 + outer + first};
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    y[i] = even[i] + odd[i];
    y[7 - i] = even[i] - odd[i];
  }
}

/// Columns, then rows.
__device__ void store_samples(const coefficient_pairs& coefficients, std::uint8_t* to, std::int64_t pitch) {
  int columns[64];
#pragma unroll
  for (int col = 0; col < 8; ++col) {
    int x[8], y[8];
#pragma unroll
    for (int row = 0; row < 4; ++row) {
      x[row] = coefficients.upper(row, col);
      x[row + 4] = coefficients.lower(row, col);
    }
    constexpr int dropped = digits - kept_digits;
    inverse_dct8(x, 1 << (dropped - 1), y);
#pragma unroll
    for (int row = 0; row < 8; ++row) columns[8 * row + col] = y[row] >> dropped;
  }
#pragma unroll
  for (int row = 0; row < 8; ++row) {
    int x[8], y[8];
#pragma unroll
    for (int col = 0; col < 8; ++col) x[col] = columns[8 * row + col];
    // A DCT in two dimensions is 8 times as large; 128 was subtracted from all samples; and a half rounds.
    constexpr int dropped = digits + kept_digits + 3;
    inverse_dct8(x, (128 << dropped) + (1 << (dropped - 1)), y);
    *reinterpret_cast<uint2*>(to + row * pitch) =
        make_uint2(four_bytes(y[0] >> dropped, y[1] >> dropped, y[2] >> dropped, y[3] >> dropped),
                   four_bytes(y[4] >> dropped, y[5] >> dropped, y[6] >> dropped, y[7] >> dropped));
  }
}

/// Thread t of tile i has block 128 i + t of the component, row by row; those that only fill units, too: they
/// have bits, which can be damaged.
__global__ void __launch_bounds__(threads)
    make_samples_kernel(const __grid_constant__ scan_bits scan, const __grid_constant__ block_planes planes,
                        const block_place* places, scan_findings* findings) {
  extern __shared__ __align__(16) std::uint32_t table[];
  __shared__ coefficient_pairs coefficients;
  __shared__ scaled_place path[path_places];
  const int t = threadIdx.x, tile = blockIdx.x;
  int c = 0;
  while (c + 1 < planes.layout.components && tile >= planes.of[c + 1].first_tile) ++c;
  const block_planes::component& of = planes.of[c];
  const bool from_bits = of.levels == nullptr;
  if (from_bits && !findings->are_good(scan.intervals)) return;  // all threads: places are not there
  if (from_bits)
    for (int i = t; i < of.table_words / 4; i += threads)
      reinterpret_cast<uint4*>(table)[i] =
          reinterpret_cast<const uint4*>(planes.ac_tables + of.table_begin)[i];
  for (int k = t; k < path_places; k += threads)
    if (k < 64)
      path[k] = {std::uint16_t(coefficient_pairs::halves_to(zigzag_place(k))), of.steps[zigzag_place(k)]};
    else
      path[k] = {coefficient_pairs::halves_to_none, 0};
#pragma unroll
  for (int i = 0; i < pairs; ++i) coefficients.words[i][t] = 0;
  __syncthreads();  // path and table are there

  const scan_layout::component& blocks = planes.layout.of[c];
  const int b = (tile - of.first_tile) * threads + t;
  const int wide = blocks.h * planes.layout.units_wide, row = b / wide, col = b - row * wide;
  if (row >= blocks.v * planes.layout.units_high) return;
  const bool is_real = row < blocks.blocks_high && col < blocks.blocks_wide;
  if (from_bits) {
    const int number = planes.layout.components == 1 ? b : planes.layout.number_of(c, row, col);
    const int interval = scan.intervals == 1 ? 0 : number / scan.blocks_in_interval;
    const unsigned stop = 8 * unsigned(scan.begins[interval + 1]);
    if (!read_levels(scan, table, path, places[number], stop, coefficients))
      atomicMin(&findings->damaged_block, unsigned(number));
  } else if (is_real) {
    const uint4* const from = reinterpret_cast<const uint4*>(
        of.levels + std::int64_t{64} * (std::int64_t{row} * blocks.blocks_wide + col));
    for (int k = 0; k < 64; k += 8) {
      const uint4 eight = from[k / 8];
      const std::int16_t* const levels = reinterpret_cast<const std::int16_t*>(&eight);
      for (int i = 0; i < 8; ++i)
        coefficients.at(coefficient_pairs::halves_to(k + i)) = std::int16_t(levels[i] * of.steps[k + i]);
    }
  }
  if (is_real) store_samples(coefficients, of.samples + std::int64_t{8} * row * of.pitch + 8 * col, of.pitch);
}

}  // namespace

void make_samples(const scan_bits& scan, const block_planes& planes, const block_place* places,
                  scan_findings* findings, cudaStream_t stream) {
  int words = 0;
  for (int c = 0; c < planes.layout.components; ++c)
    if (planes.of[c].levels == nullptr) words = std::max(words, planes.of[c].table_words);
  make_samples_kernel<<<unsigned(planes.tiles), threads, 4 * std::size_t(words), stream>>>(scan, planes,
                                                                                           places, findings);
  check(cudaGetLastError());
}

}  // namespace tutorial

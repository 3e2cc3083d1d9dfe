// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// A reader of Huffman codes that can begin anywhere, and what readers find.
#pragma once

#include "10_bits/host/reading_tables.hpp"
#include "scan_pieces.hpp"

namespace tutorial {

/// The next symbol of a stream: read_symbol of one look-up or two.
struct found_symbol {
  int bits, word_bits, shift, advance;
};

/// `bits` begin with the symbol. At most 31 of them are its own.
__device__ inline found_symbol look_up(const std::uint32_t* table, std::uint32_t bits) {
  const read_symbol first{table[bits >> first_shift]};
  if (!first.goes_on()) return {first.bits(), first.word_bits(), first.shift(), first.advance()};
  const read_symbol rest{table[first.next_table() + int(bits << first_look >> first.next_shift())]};
  return {first_look + rest.bits(), first_look + rest.word_bits(), rest.shift(), rest.advance()};
}

/// The number whose 32 - shift bits are at the top: the inverse of extra_bits(). 0 <= 32 - shift <= 15.
__device__ inline int level_of(std::uint32_t bits, int shift) {
  const std::uint32_t negative = ~std::uint32_t(int(bits) >> 31);  // all ones where the top bit is 0
  return int((__funnelshift_rc(bits ^ negative, 0, unsigned(shift)) ^ negative) - negative);
}

/// Words of a scan, the first bit at the top. Word i is *words.at(i).
struct words_in_order {
  const std::uint32_t* words;
  __device__ std::uint32_t operator[](unsigned i) const { return __byte_perm(words[i], 0, 0x0123); }
};

/// The bits behind a place, two words at a time.
template <class Words>
class bit_window {
 public:
  __device__ bit_window(const Words& words, unsigned bit)
      : words_(words), high_(words[bit / 32]), low_(words[bit / 32 + 1]) {}
  /// The 32 bits from `bit` on, which is in the first word.
  __device__ std::uint32_t at(unsigned bit) const { return __funnelshift_l(low_, high_, bit); }
  /// From a place to one at most 32 bits behind it.
  __device__ void go_on(unsigned from, unsigned to) {
    if (((from ^ to) & 32) == 0) return;
    high_ = low_;
    low_ = words_[to / 32 + 1];
  }

 private:
  const Words& words_;
  std::uint32_t high_, low_;
};

/// The last interval that begins at `bit` or in front of it.
__device__ inline int interval_at(const scan_bits& scan, unsigned bit) {
  int low = 0, high = scan.intervals;  // begins[low] <= bit < begins[high], or bit is the end of all
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    if (8 * unsigned(scan.begins[middle]) <= bit)
      low = middle;
    else
      high = middle;
  }
  return low;
}

/// The interval behind one that ends at `stop`, which is not the end of all. Few are empty.
__device__ inline int interval_behind(const scan_bits& scan, int interval, unsigned stop) {
  return 8 * unsigned(scan.begins[interval + 2]) > stop ? interval + 1 : interval_at(scan, stop);
}

/// Where a reader is between two symbols.
struct reader_place {
  unsigned bit = 0;
  int k = 0, in_unit = 0;  ///< The place on the zig-zag path, and the block of the unit.

  /// What another reader has to know to go on from `begin`, which is at most 63 bits in front.
  __device__ unsigned packed(unsigned begin) const {
    return (bit - begin) | unsigned(k) << 6 | unsigned(in_unit) << 12;
  }
  __device__ static reader_place unpacked(unsigned packed, unsigned begin) {
    return {begin + packed % 64, int(packed / 64 % 64), int(packed / 4096)};
  }
};

// [read_until]
/// From one symbol to the next, until one that begins at `end` or behind. dc(component, difference, the bit
/// behind, whether a code has the symbol) for each block that begins; marker(interval, the next one) where
/// an interval ends. It consumes at least a bit a turn, whatever the bits are.
template <class Words, class Dc, class Marker>
__device__ void read_until(const scan_bits& scan, const Words& words, const std::uint32_t* tables,
                           const unit_block* of_unit, reader_place& at, unsigned end, Dc dc, Marker marker) {
  if (at.bit >= end) return;
  const unsigned all = 8 * unsigned(scan.begins[scan.intervals]);
  int interval = interval_at(scan, at.bit);
  unsigned stop = 8 * unsigned(scan.begins[interval + 1]);
  unit_block block = of_unit[at.in_unit];
  bit_window<Words> window(words, at.bit);
  while (at.bit < end) {
    const std::uint32_t bits = window.at(at.bit);
    const unsigned left = stop - at.bit;
    unsigned behind = stop;
    // Ones fill the last byte of an interval.
    if (left >= 8 || at.k != 0 || at.in_unit != 0 || ~bits >> (32 - left) != 0) {
      const found_symbol symbol = look_up(tables + (at.k == 0 ? block.dc : block.ac), bits);
      behind = at.bit + unsigned(symbol.bits);
      if (at.k == 0)
        dc(block.component, level_of(bits << symbol.word_bits, symbol.shift), behind, symbol.advance == 1);
      at.k += symbol.advance;
      if (at.k >= read_symbol::all_places) {  // the block ends
        at.k = 0;
        at.in_unit = block.next;
        block = of_unit[at.in_unit];
      }
    }
    if (behind < stop) {
      window.go_on(at.bit, behind);
      at.bit = behind;
      continue;
    }
    window.go_on(at.bit, stop);
    at = {stop, 0, 0};
    block = of_unit[0];
    const int ended = interval;
    interval = stop == all ? scan.intervals : interval_behind(scan, ended, stop);
    marker(ended, interval);
    if (stop == all) return;
    stop = 8 * unsigned(scan.begins[interval + 1]);
  }
}
// [read_until]

/// Two numbers of 16 bits each.
__device__ inline unsigned add_halves(unsigned a, unsigned b) {
  return ((a & 0x7fff7fff) + (b & 0x7fff7fff)) ^ ((a ^ b) & 0x80008000);
}

/// The sums of two neighbors.
__device__ inline piece_sums together(const piece_sums& first, const piece_sums& then) {
  if (then.marker != 0) return then;
  return {first.blocks + then.blocks,
          first.marker,
          {add_halves(first.dc[0], then.dc[0]), add_halves(first.dc[1], then.dc[1])}};
}

/// A DC's difference is added.
__device__ inline void add_dc(piece_sums& sums, int component, int difference) {
  const unsigned part = (unsigned(difference) & 0xffff) << (component % 2 * 16);
  if (component < 2)
    sums.dc[0] = add_halves(sums.dc[0], part);
  else
    sums.dc[1] = add_halves(sums.dc[1], part);
}

/// Reads a piece from `at` on, and goes to its end.
template <class Words>
__device__ piece_sums read_piece(const scan_bits& scan, const Words& words, const std::uint32_t* tables,
                                 const unit_block* of_unit, reader_place& at, unsigned end) {
  piece_sums sums{};
  read_until(
      scan, words, tables, of_unit, at, end,
      [&](int component, int difference, unsigned, bool) {
        ++sums.blocks;
        add_dc(sums, component, difference);
      },
      [&](int, int next) {
        sums = {unsigned(next * scan.blocks_in_interval), 1, {0, 0}};
      });
  return sums;
}

/// The sums of all threads before this one, in their order; `all` of the whole block. At most 1024 threads,
/// whole warps. Has barriers.
__device__ inline piece_sums sums_before(piece_sums value, piece_sums& all, piece_sums* of_warps) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  const auto from_above = [](const piece_sums& mine, int distance) {
    return piece_sums{__shfl_up_sync(~0u, mine.blocks, distance),
                      __shfl_up_sync(~0u, mine.marker, distance),
                      {__shfl_up_sync(~0u, mine.dc[0], distance), __shfl_up_sync(~0u, mine.dc[1], distance)}};
  };
  for (int distance = 1; distance < 32; distance *= 2) {
    const piece_sums other = from_above(value, distance);
    if (lane >= distance) value = together(other, value);
  }
  piece_sums before = from_above(value, 1);
  if (lane == 0) before = {};
  __syncthreads();  // all have read the sums of the call before
  if (lane == 31) of_warps[warp] = value;
  __syncthreads();  // all warps have told theirs
  piece_sums warps_before{};
  all = {};
  for (int i = 0; i < warps; ++i) {
    if (i == warp) warps_before = all;
    all = together(all, of_warps[i]);
  }
  return together(warps_before, before);
}

/// The words of neighboring pieces in shared memory, each piece a column: so threads that read at the same
/// place of their pieces read from banks of their own.
struct word_columns {
  const std::uint32_t* shared;
  unsigned first_word;               ///< Of the first column, in the scan.
  int words_in_piece, log, columns;  ///< columns: one more than pieces, for what reaches beyond the last.

  __host__ __device__ static int words(int words_in_piece, int pieces) {
    return words_in_piece * (pieces + 1);
  }
  __device__ int place(int i) const { return (i & (words_in_piece - 1)) * columns + (i >> log); }
  __device__ std::uint32_t operator[](unsigned word) const { return shared[place(int(word - first_word))]; }
};

/// Tables and words of a block of threads in its dynamic shared memory; a barrier has to follow. The first of
/// its blockDim.x pieces may be in front of all: of those nothing is read.
__device__ inline word_columns load_pieces(const scan_bits& scan, int first_piece, std::uint32_t* memory,
                                           unit_block* of_unit) {
  const int t = threadIdx.x, threads = blockDim.x, words = scan.words_in_piece;
  for (int i = t; i < scan.table_words / 4; i += threads)
    reinterpret_cast<uint4*>(memory)[i] = reinterpret_cast<const uint4*>(scan.tables)[i];
  if (t < scan_layout::most_in_unit) of_unit[t] = scan.of_unit[t];
  std::uint32_t* const shared = memory + scan.table_words;
  const word_columns columns{shared, unsigned(first_piece * words), words, __ffs(words) - 1, threads + 1};
  // A reader looks at most two words beyond its piece. Zeros follow the last byte.
  const int last = scan.begins[scan.intervals] / 4 + 4;
#pragma unroll 4
  for (int i = t; i < words * threads + 2; i += threads) {
    const int from = first_piece * words + i;
    if (from >= 0 && from <= last) shared[columns.place(i)] = __byte_perm(scan.words[from], 0, 0x0123);
  }
  return columns;
}

}  // namespace tutorial

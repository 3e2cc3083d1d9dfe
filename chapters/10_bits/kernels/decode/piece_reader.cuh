// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// A reader of Huffman codes that can begin anywhere, and what readers find.
#pragma once

#include <cstddef>

#include "10_bits/host/reading_tables.hpp"
#include "scan_pieces.hpp"

namespace tutorial {

/// What `bits` begin with: one look-up or two.
__device__ inline read_symbol look_up(const std::uint32_t* table, std::uint32_t bits) {
  const read_symbol first{table[bits >> first_shift]};
  if (!first.goes_on()) return first;
  return {table[first.next_table() + int(bits << first_look >> first.next_shift())]};
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

/// The bits behind a place: two words, and a third one so that nobody waits for it.
template <class Words>
class bit_window {
 public:
  __device__ bit_window(const Words& words, unsigned bit)
      : words_(words), high_(words[bit / 32]), low_(words[bit / 32 + 1]), next_(words[bit / 32 + 2]) {}
  /// The 32 bits from `bit` on, which is in the first word.
  __device__ std::uint32_t at(unsigned bit) const { return __funnelshift_l(low_, high_, bit); }
  /// From a place to one at most 32 bits behind it.
  __device__ void go_on(unsigned from, unsigned to) {
    const bool goes_on = ((from ^ to) & 32) != 0;
    high_ = goes_on ? low_ : high_;
    low_ = goes_on ? next_ : low_;
    next_ = words_[to / 32 + 2];
  }

 private:
  Words words_;
  std::uint32_t high_, low_, next_;
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
  int interval = -1;       ///< That of the bit, where it is known.

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
  if (at.interval < 0) at.interval = interval_at(scan, at.bit);
  int interval = at.interval;
  unsigned stop = 8 * unsigned(scan.begins[interval + 1]);
  unit_block block = of_unit[at.in_unit], then = of_unit[block.next];
  bit_window<Words> window(words, at.bit);
  // Several words at once where a reader of one word after the other would be at the same place in the end.
  const auto read = [&](unsigned last) {
    const std::uint32_t bits = window.at(at.bit);
    const bool is_dc = at.k == 0;
    const read_symbol symbol = look_up(tables + (is_dc ? block.dc : block.ac), bits);
    unsigned behind = at.bit + unsigned(symbol.bits());
    int k = at.k + symbol.advance();
    if (is_dc) {
      dc(block.component, level_of(bits << symbol.word_bits(), symbol.shift()), behind, k == 1);
    } else if ((k & 64) != 0 || behind > last) {
      behind = at.bit + unsigned(symbol.first_bits());
      k = at.k + symbol.first_advance();
    }
    if (k >= read_symbol::all_places) {  // the block ends
      k = 0;
      at.in_unit = block.next;
      block = then;
      then = of_unit[block.next];
    }
    at.k = k;
    window.go_on(at.bit, behind);
    at.bit = behind;
  };
  for (;;) {
    // Here nothing can end: no symbol has more than 31 bits, and at most 7 fill the last byte. In a scan of
    // several intervals the readers of a warp would wait here for each other, again and again.
    const unsigned far = scan.intervals == 1 ? min(end, max(stop, 38u) - 38) : 0;
    while (at.bit < far) read(end);
    if (at.bit >= end) return;
    const unsigned left = stop - at.bit;
    // Ones fill the last byte of an interval.
    if (left >= 8 || at.k != 0 || at.in_unit != 0 || ~window.at(at.bit) >> (32 - left) != 0) {
      read(min(end, stop));
      if (at.bit < stop) continue;
    }
    at = {stop, 0, 0};
    block = of_unit[0], then = of_unit[block.next];
    window = {words, stop};
    const int ended = interval;
    interval = stop == all ? scan.intervals : interval_behind(scan, ended, stop);
    at.interval = interval;
    marker(ended, interval);
    if (stop == all) return;
    stop = 8 * unsigned(scan.begins[interval + 1]);
  }
}
// [read_until]

/// The sums of two neighbors.
__device__ inline piece_sums together(const piece_sums& first, const piece_sums& then) {
  if (then.marker != 0) return then;
  return {first.blocks + then.blocks, first.marker, {first.dc[0] + then.dc[0], first.dc[1] + then.dc[1]}};
}

/// A DC's difference is added.
__device__ inline void add_dc(piece_sums& sums, int component, int difference) {
  const unsigned part = unsigned(difference) << (component % 2 * 16);
  sums.dc[0] += component < 2 ? part : 0;
  sums.dc[1] += component < 2 ? 0 : part;
}
/// The sum of a component, if those of the others fit 16 bits.
__device__ inline int dc_of(const piece_sums& sums, int component) {
  const unsigned both = component < 2 ? sums.dc[0] : sums.dc[1];
  return component % 2 == 0 ? int(std::int16_t(both)) : int(both + 0x8000) >> 16;
}

/// What begins or ends in the piece from bit `begin` on: listed_in_piece() elements, and one for the number
/// of those that a piece has in which an interval ends. Those for which there is no room are left out.
struct block_list {
  listed_block* blocks = nullptr;
  unsigned room = 0, begin = 0;
};

/// The largest DC: far from what a file has, and so near that no two of them wrap unseen.
inline constexpr int most_dc = 16383;

/// Reads a piece from `at` on, and goes to its end.
template <class Words>
__device__ piece_sums read_piece(const scan_bits& scan, const Words& words, const std::uint32_t* tables,
                                 const unit_block* of_unit, reader_place& at, unsigned end,
                                 const block_list& list = {}) {
  piece_sums sums{};
  unsigned listed = 0;
  read_until(
      scan, words, tables, of_unit, at, end,
      [&](int component, int difference, unsigned behind, bool is_symbol) {
        if (listed < list.room)
          list.blocks[listed] = listed_block::of(behind - list.begin, difference, is_symbol);
        ++listed;
        ++sums.blocks;
        add_dc(sums, component, difference);
      },
      [&](int ended, int next) {
        if (next != ended + 1) listed = list.room;  // an interval is empty: the list does not say so
        if (listed < list.room) list.blocks[listed] = {listed_block::end_of_interval};
        ++listed;
        sums = {unsigned(next * scan.blocks_in_interval), 1, {0, 0}};
      });
  if (sums.marker != 0 && list.room != 0) list.blocks[list.room] = {listed};
  return sums;
}

/// That of piece p.
__device__ inline block_list list_of(const scan_bits& scan, listed_block* lists, int p) {
  const unsigned room = unsigned(scan.listed_in_piece());
  return {lists + std::int64_t{p} * (room + 1), room, unsigned(p) * scan.bits_in_piece()};
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

/// The sums of all groups before each group, in place of its own. By a block of threads; has barriers.
__device__ inline void add_up_groups(piece_sums* of_groups, int groups, piece_sums* of_warps) {
  piece_sums before{};
  for (int first = 0; first < groups; first += int(blockDim.x)) {
    const int g = first + int(threadIdx.x);
    piece_sums all;
    const piece_sums mine = sums_before(g < groups ? of_groups[g] : piece_sums{}, all, of_warps);
    if (g < groups) of_groups[g] = together(before, mine);
    before = together(before, all);
  }
}

/// The words of neighboring pieces in shared memory. Each piece has a word more than it needs: so threads
/// that read at the same place of their pieces read from banks of their own.
struct word_columns {
  const std::uint32_t* shared;
  int first_word, log;  ///< In the scan; of the words in a piece.

  /// Three words behind the last piece are there, too, of one piece or two.
  __host__ __device__ static int words(int words_in_piece, int pieces) {
    return (words_in_piece + 1) * pieces + 4;
  }
  __device__ int place(int word) const { return word - first_word + ((word >> log) - (first_word >> log)); }
  __device__ std::uint32_t operator[](unsigned word) const { return shared[place(int(word))]; }
};

/// A block may have so many words without asking, beside the kernel's own arrays.
inline constexpr std::size_t usual_shared_words = 10 * 1024;

/// The tables in the dynamic shared memory of a block of threads; a barrier has to follow.
__device__ inline void load_tables(const scan_bits& scan, std::uint32_t* memory, unit_block* of_unit) {
  for (int i = threadIdx.x; i < scan.table_words / 4; i += blockDim.x)
    reinterpret_cast<uint4*>(memory)[i] = reinterpret_cast<const uint4*>(scan.tables)[i];
  if (threadIdx.x < scan_layout::most_in_unit) of_unit[threadIdx.x] = scan.of_unit[threadIdx.x];
}

/// Tables, and the words of blockDim.x pieces behind them; a barrier has to follow. The first piece may be in
/// front of all: of that one nothing is read.
__device__ inline word_columns load_pieces(const scan_bits& scan, int first_piece, std::uint32_t* memory,
                                           unit_block* of_unit) {
  const int t = threadIdx.x, threads = blockDim.x, words = scan.words_in_piece;
  load_tables(scan, memory, of_unit);
  std::uint32_t* const shared = memory + scan.table_words;
  const int first = first_piece * words, log = __ffs(words) - 1;
  const word_columns columns{shared, first, log};
  // Zeros follow the last byte.
  const int last = scan.begins[scan.intervals] / 4 + 4;
#pragma unroll 4
  for (int i = t; i < words * threads + 3; i += threads) {
    const int from = first + i;
    if (from >= 0 && from <= last) shared[columns.place(from)] = __byte_perm(scan.words[from], 0, 0x0123);
  }
  return columns;
}

}  // namespace tutorial

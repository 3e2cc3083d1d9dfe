// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// Two kernels: the first counts symbols, of which the DCT is done for that alone; the second makes the
/// codes, a warp for each, without a tree.
#include "optimize_codes.hpp"

#include "common/device/check.hpp"
#include "tile_code.cuh"

namespace tutorial {
namespace {

/// counts[256 * table + symbol] += how often the symbols of a tile occur.
__global__ void __launch_bounds__(blocks_in_tile)
    count_symbols_kernel(const __grid_constant__ tile_input in, const __grid_constant__ tile_layout layout,
                         std::uint32_t* counts) {
  __shared__ std::uint32_t words[32 * blocks_in_tile];
  __shared__ unsigned own[symbol_tables * 256];
  __shared__ int dc[blocks_in_tile], dc_before[3];
  const int t = threadIdx.x;
  for (int i = t; i < symbol_tables * 256; i += blocks_in_tile) own[i] = 0;
  const scan_tile tile = layout.at(int(blockIdx.x));
  const int block = tile.first + t;
  const bool mine = t < tile.count;
  const scan_block at = layout.scan.at(mine ? block : tile.first);
  levels_of_block levels;
  if (mine && at.is_real) levels = make_levels(in, at, words + t);
  dc[t] = levels.dc;
  find_dc_before(in, layout.scan, tile, dc_before);
  __syncthreads();  // DCs are there, and the counts are 0

  if (mine) {
    int difference = 0;
    if (at.is_real) {
      const int before = layout.scan.predecessor(block);
      difference = levels.dc - (before >= tile.first ? dc[before - tile.first] : dc_before[at.component]);
    }
    unsigned* const of = own + (at.component == 0 ? 0 : 512);
    for_each_nonzero(
        difference, levels.mask, words + t, [&](int size, unsigned) { atomicAdd(of + size, 1u); },
        [&](int symbol, int, int) { atomicAdd(of + 256 + symbol, 1u); });
  }
  __syncthreads();  // all have counted
  for (int i = t; i < symbol_tables * 256; i += blocks_in_tile)
    if (own[i] != 0) atomicAdd(counts + i, own[i]);
}

// [codes]
constexpr int symbols = 257;  // 256 is the word of ones alone, which no symbol may have
constexpr int each_lane = (symbols + 31) / 32;
constexpr int longest_word = 16;

/// The rarest tree and the one after it: count << 9 | 511 - symbol, so that of equals the last symbol is the
/// smallest.
struct two_rarest {
  unsigned long long first, second;
};
constexpr unsigned long long no_tree = ~0ull;

__device__ two_rarest merged(const two_rarest& a, const two_rarest& b) {
  const unsigned long long larger = max(a.first, b.first);
  return {min(a.first, b.first), min(larger, min(a.second, b.second))};
}
__device__ int symbol_of(unsigned long long tree) { return 511 - int(tree & 511); }

/// One warp makes one code. Lane l has the symbols l, l + 32, ...: the tree that each belongs to, named by
/// one of its symbols, and how deep it lies there. No tree exists: whoever is joined becomes one bit longer.
__device__ void make_depths(const std::uint32_t* counts, std::uint16_t* depths) {
  const int lane = threadIdx.x % 32;
  unsigned long long count[each_lane];  // of the tree that is named by this symbol; 0: there is none
  int tree[each_lane], depth[each_lane];
  for (int i = 0; i < each_lane; ++i) {
    const int symbol = 32 * i + lane;
    count[i] = symbol < 256 ? counts[symbol] : symbol == 256 ? 1 : 0;
    tree[i] = symbol;
    depth[i] = 0;
  }
  for (;;) {
    two_rarest rarest{no_tree, no_tree};
    for (int i = 0; i < each_lane; ++i)
      if (count[i] != 0) rarest = merged(rarest, {count[i] << 9 | unsigned(511 - (32 * i + lane)), no_tree});
    for (int distance = 16; distance > 0; distance /= 2)
      rarest = merged(rarest, {__shfl_xor_sync(~0u, rarest.first, distance),
                               __shfl_xor_sync(~0u, rarest.second, distance)});
    if (rarest.second == no_tree) break;
    const int first = symbol_of(rarest.first), second = symbol_of(rarest.second);
    for (int i = 0; i < each_lane; ++i) {
      const int symbol = 32 * i + lane;
      if (symbol == first) count[i] += rarest.second >> 9;
      if (symbol == second) count[i] = 0;
      if (tree[i] != first && tree[i] != second) continue;
      tree[i] = first;
      ++depth[i];
    }
  }
  for (int i = 0; i < each_lane; ++i)
    if (32 * i + lane < symbols) depths[32 * i + lane] = std::uint16_t(depth[i]);
}

/// As the file holds it: 16 counts, then symbols.
struct packed_code {
  int number_of_symbols;
  std::uint8_t counts[longest_word], symbols[256];
};

/// The whole warp: lengths of at most 16 bits (ITU-T T.81, figure K.3), and the symbols by length.
__device__ void pack(const std::uint16_t* depths, int* words, packed_code& code) {
  const int lane = threadIdx.x % 32;
  for (int length = lane; length <= symbols; length += 32) words[length] = 0;
  __syncwarp();  // no word is counted yet
  for (int symbol = lane; symbol < symbols; symbol += 32)
    if (depths[symbol] != 0) atomicAdd(words + depths[symbol], 1);
  // A symbol's place: how many are shorter, or as long and before it. Each lane finds those of its symbols.
  for (int symbol = lane; symbol < 256; symbol += 32) {
    if (depths[symbol] == 0) continue;
    int place = 0;
    for (int other = 0; other < 256; ++other)
      place += depths[other] != 0 &&
               (depths[other] < depths[symbol] || (depths[other] == depths[symbol] && other < symbol));
    code.symbols[place] = std::uint8_t(symbol);
  }
  __syncwarp();  // all words are counted
  if (lane != 0) return;
  for (int length = symbols; length > longest_word; --length)
    while (words[length] > 0) {
      int shorter = length - 2;
      while (words[shorter] == 0) --shorter;
      words[length] -= 2;
      words[length - 1] += 1;
      words[shorter + 1] += 2;
      words[shorter] -= 1;
    }
  int longest = longest_word;
  while (words[longest] == 0) --longest;
  --words[longest];  // the word of ones alone
  code.number_of_symbols = 0;
  for (int length = 1; length <= longest_word; ++length) {
    code.counts[length - 1] = std::uint8_t(words[length]);
    code.number_of_symbols += words[length];
  }
}

/// The tables that kernels look up, and what stands in the header: coding->of and coding->header become those
/// of the code. One block; warp w makes code w.
__global__ void make_codes_kernel(const std::uint32_t* counts, int codes, device_coding* coding) {
  __shared__ std::uint16_t depths[symbol_tables][symbols];
  __shared__ int words[symbol_tables][symbols + 1];
  __shared__ packed_code code[symbol_tables];
  const int lane = threadIdx.x % 32, which = threadIdx.x / 32;
  make_depths(counts + 256 * which, depths[which]);
  __syncwarp();  // the depths of all lanes are there
  pack(depths[which], words[which], code[which]);
  class_tables& tables = coding->of[which / 2];
  const bool is_dc = which % 2 == 0;
  coded_bits* const table = is_dc ? tables.dc : tables.ac;
  for (int symbol = lane; symbol < (is_dc ? 16 : 256); symbol += 32) table[symbol] = {};
  __syncwarp();  // the code is packed, and the table empty

  if (lane == 0) {
    unsigned next = 0;
    for (int length = 1, i = 0; length <= longest_word; ++length, next <<= 1)
      for (int k = 0; k < code[which].counts[length - 1]; ++k, ++i, ++next) {
        const int symbol = code[which].symbols[i], size = is_dc ? symbol : symbol % 16;
        table[symbol] = {next << (32 - length) | unsigned(length + size)};
      }
  }
  __syncwarp();  // all words are in the table
  if (!is_dc)
    for (int i = lane; i < 2 * class_tables::usual_levels * class_tables::usual_runs; i += 32) {
      const int run = i / 32, level = i % 32 - class_tables::usual_levels, size = size_of_level(level);
      if (level != 0) tables.usual[i] = with_extra(tables.ac[run << 4 | size], extra_bits(level, size));
    }
  __syncthreads();  // all codes are packed

  // In the header the segments of the codes are the only ones that change. They stand one behind the other,
  // before those of the restart interval and of the scan.
  if (threadIdx.x != 0) return;
  std::uint8_t* const header = coding->header;
  int begin = 2;
  while (header[begin + 1] != std::uint8_t(jpeg_marker::huffman_codes))
    begin += 2 + (header[begin + 2] << 8 | header[begin + 3]);
  int end = begin;
  while (header[end + 1] == std::uint8_t(jpeg_marker::huffman_codes))
    end += 2 + (header[end + 2] << 8 | header[end + 3]);
  const int behind = coding->header_size - end;
  std::uint8_t kept[32];  // a restart interval takes 6 bytes, the start of a scan 14
  for (int i = 0; i < behind; ++i) kept[i] = header[end + i];
  int at = begin;
  for (int w = 0; w < codes; ++w) {
    const int length = 2 + 1 + longest_word + code[w].number_of_symbols;
    header[at++] = 0xFF;
    header[at++] = std::uint8_t(jpeg_marker::huffman_codes);
    header[at++] = std::uint8_t(length >> 8);
    header[at++] = std::uint8_t(length & 255);
    header[at++] = std::uint8_t(w % 2 << 4 | w / 2);
    for (int i = 0; i < longest_word; ++i) header[at++] = code[w].counts[i];
    for (int i = 0; i < code[w].number_of_symbols; ++i) header[at++] = code[w].symbols[i];
  }
  for (int i = 0; i < behind; ++i) header[at++] = kept[i];
  coding->header_size = at;
}
// [codes]

}  // namespace

void optimize_codes(const tile_input& in, const tile_layout& layout, device_span<std::uint32_t> counts,
                    device_coding* coding) {
  const int codes = layout.scan.components == 1 ? 2 : 4;
  check(cudaMemsetAsync(counts.data(), 0, symbol_tables * 256 * sizeof(std::uint32_t)));
  count_symbols_kernel<<<unsigned(layout.tiles), blocks_in_tile>>>(in, layout, counts.data());
  check(cudaGetLastError());
  make_codes_kernel<<<1, unsigned(32 * codes)>>>(counts.data(), codes, coding);
  check(cudaGetLastError());
}

}  // namespace tutorial

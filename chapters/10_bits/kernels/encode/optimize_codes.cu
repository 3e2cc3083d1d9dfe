// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Two kernels: the first counts symbols, of which the DCT is done for that alone; the second makes the
// codes, a warp for each, without a tree.
#include "optimize_codes.hpp"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "common/device/check.hpp"
#include "common/device/early_start.cuh"
#include "tile_code.cuh"

namespace tutorial {
namespace {

namespace cg = cooperative_groups;

/// counts[256 * table + symbol] += how often the symbols of a tile occur.
__global__ void __launch_bounds__(blocks_in_tile, 7)
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
      const int before = layout.scan.predecessor(block, tile.first_of_interval);
      difference = levels.dc - (before >= tile.first ? dc[before - tile.first] : dc_before[at.component]);
    }
    unsigned* const of = own + (at.component == 0 ? 0 : 512);
    for_each_nonzero(
        difference, levels.mask, words + t, [&](int size, unsigned) { atomicAdd(of + size, 1u); },
        [&](int run, int level) { atomicAdd(of + 256 + (run << 4 | size_of_level(level)), 1u); },
        [&](int symbol) { atomicAdd(of + 256 + symbol, 1u); });
  }
  __syncthreads();  // all have counted
  for (int i = t; i < symbol_tables * 256; i += blocks_in_tile)
    if (own[i] != 0) atomicAdd(counts + i, own[i]);
}

constexpr int symbols = 257;  // 256 is the word of ones alone, which no symbol may have
constexpr int longest_word = 16;
constexpr std::uint32_t no_tree = most_counted + 1;

/// One code on its way, in shared memory.
struct code_in_work {
  std::uint16_t occurring[symbols];            ///< Symbols, ascending.
  int words[symbols + 1];                      ///< How many of each length.
  int placed[symbols + 1];                     ///< How many of each length have their place.
  int first_place[longest_word + 2];           ///< Of each length.
  std::uint32_t first_word[longest_word + 2];  ///< Likewise, at the top.
  std::uint8_t symbol_at[256];                 ///< As the file lists them: by length, then ascending.
  coded_bits table[256];
  int size;  ///< Symbols that have a word.
};

/// What a lane has of a code: the symbols number l, l + 32, ... of those that occur, for lane l.
template <int Each>
struct lane_symbols {
  int symbol[Each];           ///< 256 where there is none.
  std::uint32_t count[Each];  ///< Of the tree that is named by this number; no_tree: there is none.
  int tree[Each];             ///< The name of the one that the symbol belongs to.
  int depth[Each];            ///< There.
  int place[Each];            ///< In the list of the file.
};

// [codes]
/// The rarest tree in the warp; if several are equally rare, the last of them.
struct rarest_tree {
  std::uint32_t count;  ///< no_tree: there is none.
  int name;
};
template <int Each>
__device__ rarest_tree rarest_of(const lane_symbols<Each>& own, int but) {
  const int lane = threadIdx.x % 32;
  rarest_tree mine{no_tree, -1};
#pragma unroll
  for (int i = 0; i < Each; ++i)
    if (32 * i + lane != but && own.count[i] <= mine.count) mine = {own.count[i], 32 * i + lane};
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const std::uint32_t least = cg::reduce(warp, mine.count, cg::less<std::uint32_t>());
  return {least, cg::reduce(warp, mine.count == least ? mine.name : -1, cg::greater<int>())};
}

/// The depths of n symbols, by one warp. No tree exists: each joined symbol gets a longer word.
template <int Each>
__device__ void join_trees(lane_symbols<Each>& own, int n) {
  const int lane = threadIdx.x % 32;
  for (int joined = 1; joined < n; ++joined) {
    const rarest_tree first = rarest_of(own, -1), second = rarest_of(own, first.name);
#pragma unroll
    for (int i = 0; i < Each; ++i) {
      if (32 * i + lane == first.name) own.count[i] += second.count;
      if (32 * i + lane == second.name) own.count[i] = no_tree;
      if (own.tree[i] != first.name && own.tree[i] != second.name) continue;
      own.tree[i] = first.name;
      ++own.depth[i];
    }
  }
}
// [codes]

/// The file lists symbols by their depth, those of equal depth ascending. Returns the greatest one.
template <int Each>
__device__ int place_symbols(lane_symbols<Each>& own, code_in_work& code) {
  const int lane = threadIdx.x % 32;
  for (int length = lane; length <= symbols; length += 32) code.words[length] = code.placed[length] = 0;
  __syncwarp();  // no word is counted yet
  int deepest = 0;
#pragma unroll
  for (int i = 0; i < Each; ++i) {
    if (own.depth[i] != 0) atomicAdd(code.words + own.depth[i], 1);
    deepest = max(deepest, own.depth[i]);
  }
  __syncwarp();  // all words are counted
#pragma unroll
  for (int i = 0; i < Each; ++i) {
    const int depth = own.depth[i];
    const unsigned equal = __match_any_sync(~0u, depth);
    int place = code.placed[depth] + __popc(equal & ((1u << lane) - 1));
    for (int shorter = 1; shorter < depth; ++shorter) place += code.words[shorter];
    __syncwarp();  // all have read what the rounds before have placed
    if (lane == __ffs(int(equal)) - 1) code.placed[depth] += __popc(equal);
    __syncwarp();  // those of this round are added
    if (own.symbol[i] < 256) code.symbol_at[place] = std::uint8_t(own.symbol[i]);
    own.place[i] = place;
  }
  return cg::reduce(cg::tiled_partition<32>(cg::this_thread_block()), deepest, cg::greater<int>());
}

/// Lengths of at most 16 bits (ITU-T T.81, figure K.3), and none for the word of ones alone. By one thread.
__device__ void limit_lengths(int (&words)[symbols + 1], int deepest) {
  for (int length = deepest; length > longest_word; --length)
    while (words[length] > 0) {
      int shorter = length - 2;
      while (words[shorter] == 0) --shorter;
      words[length] -= 2;
      words[length - 1] += 1;
      words[shorter + 1] += 2;
      words[shorter] -= 1;
    }
  int longest = min(deepest, longest_word);
  while (words[longest] == 0) --longest;
  --words[longest];
}

/// code.table, from lengths and places. Words of one length follow each other, and the first one follows the
/// last shorter one: as fractions of a string of 16 bits, they add up.
template <int Each>
__device__ void make_words(const lane_symbols<Each>& own, bool is_dc, code_in_work& code) {
  const int lane = threadIdx.x % 32, length = lane + 1;
  for (int symbol = lane; symbol < 256; symbol += 32) code.table[symbol] = {};
  const int words = length <= longest_word ? code.words[length] : 0, places = sum_of_lanes_before(words),
            fractions = sum_of_lanes_before(length <= longest_word ? words << (16 - length) : 0);
  if (length <= longest_word + 1) {
    code.first_place[length] = places;
    code.first_word[length] = std::uint32_t(fractions) << 16;
  }
  __syncwarp();  // where each length begins is known, and the table is empty
#pragma unroll
  for (int i = 0; i < Each; ++i) {
    const int symbol = own.symbol[i];
    if (symbol == 256) continue;
    int l = 1;
    while (code.first_place[l + 1] <= own.place[i]) ++l;
    const std::uint32_t before = std::uint32_t(own.place[i] - code.first_place[l]) << (32 - l);
    code.table[symbol] = {(code.first_word[l] + before) | unsigned(l + (is_dc ? symbol : symbol % 16))};
  }
}

/// One warp makes the code of n symbols, n <= 32 Each.
template <int Each>
__device__ void make_code(const std::uint32_t* counts, int n, bool is_dc, code_in_work& code) {
  const int lane = threadIdx.x % 32;
  lane_symbols<Each> own;
#pragma unroll
  for (int i = 0; i < Each; ++i) {
    const int k = 32 * i + lane;
    own.symbol[i] = k < n ? code.occurring[k] : 256;
    own.count[i] = k >= n ? no_tree : own.symbol[i] == 256 ? 1 : counts[own.symbol[i]];
    own.tree[i] = k;
    own.depth[i] = 0;
  }
  join_trees(own, n);
  const int deepest = place_symbols(own, code);
  if (lane == 0) {
    limit_lengths(code.words, deepest);
    code.size = n - 1;
  }
  __syncwarp();  // the lengths are known
  make_words(own, is_dc, code);
}

/// The symbols that occur, to code.occurring, the word of ones alone behind them. Returns how many they are.
__device__ int list_occurring(const std::uint32_t* counts, code_in_work& code) {
  const int lane = threadIdx.x % 32;
  int n = 0;
  for (int symbol = lane; symbol < 288; symbol += 32) {
    const bool occurs = symbol < 256 ? counts[symbol] != 0 : symbol == 256;
    const unsigned all = __ballot_sync(~0u, occurs);
    if (occurs) code.occurring[n + __popc(all & ((1u << lane) - 1))] = std::uint16_t(symbol);
    n += __popc(all);
  }
  return n;
}

/// The tables that kernels look up, and what stands in the header: coding->of and coding->header become those
/// of the code. One block; warp w makes code w.
__global__ void make_codes_kernel(const std::uint32_t* counts, int codes, device_coding* coding) {
  __shared__ code_in_work in_work[symbol_tables];
  let_the_next_begin();
  const int t = threadIdx.x, lane = t % 32, which = t / 32;
  code_in_work& code = in_work[which];
  const bool is_dc = which % 2 == 0;
  const std::uint32_t* const own = counts + 256 * which;
  const int n = list_occurring(own, code);
  __syncwarp();  // the list is there
  if (n <= 64)
    make_code<2>(own, n, is_dc, code);
  else if (n <= 128)
    make_code<4>(own, n, is_dc, code);
  else
    make_code<9>(own, n, is_dc, code);
  __syncwarp();  // the table is there

  class_tables& tables = coding->of[which / 2];
  if (is_dc) {
    if (lane < 16) tables.dc[lane] = code.table[lane];
  } else {
    for (int symbol = lane; symbol < 256; symbol += 32) tables.ac[symbol] = code.table[symbol];
    for (int i = lane; i < 2 * class_tables::usual_levels * class_tables::usual_runs; i += 32) {
      const int run = i / 32, level = i % 32 - class_tables::usual_levels, size = size_of_level(level);
      if (level != 0) tables.usual[i] = with_extra(code.table[run << 4 | size], extra_bits(level, size));
    }
  }

  // In the header the segments of the codes are the only ones that change: what stands behind them moves.
  const int moved = coding->behind_codes, old_size = coding->header_size;
  const std::uint8_t kept = t < moved ? coding->header[old_size - moved + t] : 0;
  __syncthreads();  // all codes are made, and what moves has been read
  const auto length_of = [&](int w) { return 2 + 1 + longest_word + in_work[w].size; };
  int begin = coding->codes_begin, end = begin;
  for (int w = 0; w < codes; ++w) {
    if (w < which) begin += 2 + length_of(w);
    end += 2 + length_of(w);
  }
  std::uint8_t* const segment = coding->header + begin;
  const std::uint8_t head[5] = {0xFF, std::uint8_t(jpeg_marker::huffman_codes),
                                std::uint8_t(length_of(which) >> 8), std::uint8_t(length_of(which) & 255),
                                std::uint8_t(which % 2 << 4 | which / 2)};
  if (lane == 0)
    for (int i = 0; i < 5; ++i) segment[i] = head[i];
  if (lane < longest_word) segment[5 + lane] = std::uint8_t(code.words[1 + lane]);
  for (int i = lane; i < code.size; i += 32) segment[5 + longest_word + i] = code.symbol_at[i];
  if (t < moved) coding->header[end + t] = kept;
  if (t == 0) coding->header_size = end + moved;
}

}  // namespace

void optimize_codes(const tile_input& in, const tile_layout& layout, device_span<std::uint32_t> counts,
                    device_coding* coding, cudaStream_t stream) {
  const int codes = layout.scan.components == 1 ? 2 : 4;
  check(cudaMemsetAsync(counts.data(), 0, symbol_tables * 256 * sizeof(std::uint32_t), stream));
  count_symbols_kernel<<<unsigned(layout.tiles), blocks_in_tile, 0, stream>>>(in, layout, counts.data());
  check(cudaGetLastError());
  make_codes_kernel<<<1, unsigned(32 * codes), 0, stream>>>(counts.data(), codes, coding);
  check(cudaGetLastError());
}

}  // namespace tutorial

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// Where a block begins is known only when the one before it has been read. Where a restart interval begins
/// is known beforehand, so a thread reads each. Tables and levels are in shared memory meanwhile, and whole
/// rows of levels go out to device memory.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "08_dct8x8/host/dct_serial.hpp"
#include "09_dct_compression/kernels/compress_fused.hpp"
#include "10_bits/kernels/encode/tile_code.cuh"
#include "common/device/ceil_div.hpp"
#include "common/device/check.hpp"
#include "decode_intervals.hpp"
#include "reading_tables.hpp"

namespace tutorial {
namespace {

constexpr int lanes = 32;
constexpr int most_warps = 4, most_threads = most_warps * lanes;  // of a block
constexpr int blocks_at_once = 4;                                 // of each thread
constexpr int turns = 2;  // between two looks at whether a lane has no room left

/// The bits of an interval; behind its end come those of the next one.
class bit_reader {
 public:
  /// From byte `begin` of these words on; `end` is the number of bytes that they hold, 32 zeros not counted.
  __device__ bit_reader(const std::uint32_t* words, int begin, int end)
      : words_(words), next_(begin / 4), last_(end / 4 + 6), used_(8 * (begin % 4)) {
    now_ = in_order(load());
    then_ = in_order(load());
    ahead_ = load();
  }

  /// The next 32 bits, the first one at the top. They stay.
  __device__ std::uint32_t look() const { return __funnelshift_l(then_, now_, used_); }
  /// 0 <= count <= 31.
  __device__ void skip(int count) {
    used_ += count;
    if (used_ < 32) return;
    used_ -= 32;
    now_ = then_;
    then_ = in_order(ahead_);
    ahead_ = load();
  }
  /// How many bytes, from the first word on, have been begun; more than `end` where it has read beyond that.
  __device__ int bytes_read() const { return 4 * (next_ - 3) + (used_ + 7) / 8; }

 private:
  /// The first of four bytes at the top.
  __device__ static std::uint32_t in_order(std::uint32_t word) { return __byte_perm(word, 0, 0x0123); }
  // In a damaged file a reader can run far beyond the end: it stays at the last word.
  __device__ std::uint32_t load() {
    const std::uint32_t word = words_[next_];
    next_ = min(next_ + 1, last_);
    return word;
  }

  const std::uint32_t* words_;
  int next_, last_;           // to be loaded next; last of all
  int used_;                  // bits of now_
  std::uint32_t now_, then_;  // the words with the next bits
  std::uint32_t ahead_;       // needed only when all of now_ has been read: until then its load may take
};

/// The number whose 32 - shift bits are at the top: the inverse of extra_bits(). 0 <= 32 - shift <= 15.
__device__ int level_of(std::uint32_t bits, int shift) {
  const std::uint32_t negative = ~std::uint32_t(int(bits) >> 31);  // all ones where the top bit is 0
  return int((__funnelshift_rc(bits ^ negative, 0, unsigned(shift)) ^ negative) - negative);
}

/// A block that is being read. 16 bytes more than its levels: so that threads that read rows of different
/// blocks find them in different banks.
struct block_in_work {
  uint4 rows[8];  ///< Eight levels each.
  uint4 unused;

  /// The levels, row by row.
  __device__ std::int16_t* levels() { return reinterpret_cast<std::int16_t*>(rows); }
};
static_assert(sizeof(block_in_work) % 32 == 16, "rows of neighboring blocks are in different banks");

/// A block that waits in shared memory.
struct read_block {
  int slot, number;  ///< In warp_memory::blocks, and in the scan.
};

/// The shared memory of a warp.
struct warp_memory {
  block_in_work blocks[lanes * blocks_at_once];  ///< A few for each lane.
  int dc[3][lanes];                              ///< That of the last block, of each component and lane.
  read_block list[lanes * blocks_at_once];       ///< Those to be written.
};

struct decode_plan {
  scan_layout layout;
  /// Of a component: where its table for DCs begins, and 65536 times where that for the others does.
  unsigned tables[3];
  int table_words;          ///< Of 16 bytes, those of the path included.
  std::int16_t* levels[3];  ///< Of a component; one row after the other, `pitch` levels each.
  int pitch[3];

  /// Of a block with that place in its unit.
  __device__ int component(int in_unit) const { return layout.in_unit[in_unit].component; }
  /// The place of the block behind.
  __device__ int next(int in_unit) const { return in_unit + 1 == layout.blocks_in_unit ? 0 : in_unit + 1; }
  /// The first level of a block in device memory; nullptr: it is not real.
  __device__ std::int16_t* place(const scan_block& at) const {
    return at.is_real ? levels[at.component] + std::int64_t{8} * at.row * pitch[at.component] + 8 * at.column
                      : nullptr;
  }
};

/// One lane's way through its interval. The blocks that it has read stay in shared memory until the warp
/// writes them.
struct lane_work {
  block_in_work* blocks;  ///< Number b of the interval is at blocks[b % blocks_at_once].
  int first, left;        ///< Blocks of the interval: number of the first one in the scan; still to be read.
  unsigned read = 0, added = 0, written = 0;  ///< Blocks; added: whose DC is one, and not a difference.
  int in_unit = 0, added_in_unit = 0;  ///< Places in their units of the next block to be read or added.
  bool good = true;                    ///< No symbol is wrong, no DC out of range.
  unsigned tables = 0, table = 0;      ///< Those of the block; that of the next symbol.
  int place = 0;                       ///< On the path: that of the next symbol.
  std::int16_t* to = nullptr;          ///< The level still to be stored, where it is not 0: its block,
  int level = 0, at = 0;               ///< itself, and its place there.

  __device__ bool can_read() const { return left > 0 && read - written < blocks_at_once; }
  /// Goes on with the next block.
  __device__ void begin_block(const decode_plan& plan) {
    to = blocks[read % blocks_at_once].levels();
    tables = plan.tables[plan.component(in_unit)];
    table = tables & 0xffff;
    place = 0;
  }
  /// A level is stored a turn after its place was looked up: that load has arrived by then.
  __device__ void store_level() const {
    if (level != 0) to[at] = std::int16_t(level);
  }
};

// [decode]
/// One turn of a lane: the next symbol of its interval, DC or AC. `tables` begins with the path.
__device__ void read_one(bit_reader& in, lane_work& lane, const std::uint32_t* tables,
                         const decode_plan& plan) {
  const std::uint32_t bits = in.look();
  const read_symbol symbol = look_up(tables + lane.table, bits);
  lane.store_level();
  in.skip(symbol.bits());
  lane.level = level_of(bits << symbol.word_bits(), symbol.shift());
  lane.place += symbol.advance();
  lane.at = int(tables[lane.place]);
  lane.table = lane.tables >> 16;
  if (lane.place < read_symbol::all_places) return;
  // The block ends: with its last level, or with the symbol for that. Or no block has such a symbol.
  lane.good = lane.place == read_symbol::all_places || lane.place > read_symbol::end_of_block;
  if (lane.good) lane.store_level();
  lane.level = 0;
  lane.left = lane.good ? lane.left - 1 : 0;
  ++lane.read;
  lane.in_unit = plan.next(lane.in_unit);
  lane.begin_block(plan);
}
// [decode]

/// Whole rows of blocks that have been read go to device memory; in shared memory their levels are 0 again.
__device__ void write_blocks(lane_work& lane, warp_memory& memory, const decode_plan& plan) {
  const int t = threadIdx.x % lanes;
#pragma unroll 1
  for (; lane.added < lane.read; ++lane.added) {
    std::int16_t* const levels = lane.blocks[lane.added % blocks_at_once].levels();
    int& dc = memory.dc[plan.component(lane.added_in_unit)][t];
    dc += levels[0];
    if (dc < -1024 || dc > 1023) lane.good = false, lane.left = 0;
    levels[0] = std::int16_t(dc);
    lane.added_in_unit = plan.next(lane.added_in_unit);
  }
  const unsigned end = lane.left == 0 ? lane.read : lane.read & ~1u;  // in pairs, which fill sectors
  const int count = int(end - lane.written), before = sum_of_lanes_before(count);
  const int all = __shfl_sync(~0u, before + count, lanes - 1);
#pragma unroll 1
  for (int i = before; lane.written < end; ++i, ++lane.written)
    memory.list[i] = {t * blocks_at_once + int(lane.written % blocks_at_once),
                      lane.first + int(lane.written)};
  __syncwarp();  // the list is there, and all levels
#pragma unroll 1
  for (int i = t; i < all; i += lanes) {
    const auto [slot, number] = memory.list[i];
    const scan_block at = plan.layout.at(number);
    uint4* const to = reinterpret_cast<uint4*>(plan.place(at));
    const int pitch = plan.pitch[at.component] / 8;
#pragma unroll
    for (int row = 0; row < 8; ++row) {
      if (to != nullptr) to[row * pitch] = memory.blocks[slot].rows[row];
      memory.blocks[slot].rows[row] = make_uint4(0, 0, 0, 0);
    }
  }
  __syncwarp();  // all are written, and 0 again
}

/// The levels of intervals, one thread for each; findings->damaged = the first one that is wrong. The
/// dynamic shared memory holds the tables, and behind them a warp_memory for each warp.
__global__ void __launch_bounds__(most_threads, 2)
    decode_intervals_kernel(const std::uint32_t* words, const int* begins, const std::uint32_t* tables,
                            const __grid_constant__ decode_plan plan, scan_findings* findings) {
  extern __shared__ __align__(16) unsigned char dynamic_memory[];
  const scan_layout& layout = plan.layout;
  const int t = threadIdx.x, threads = blockDim.x, intervals = layout.intervals();
  if (findings->markers != intervals) return;  // all threads: begins are not there, or not the right ones
  uint4* const table = reinterpret_cast<uint4*>(dynamic_memory);
#pragma unroll 1
  for (int i = t; i < plan.table_words; i += threads) table[i] = reinterpret_cast<const uint4*>(tables)[i];
  warp_memory& memory = reinterpret_cast<warp_memory*>(table + plan.table_words)[t / lanes];
  for (int i = 0; i < 8 * blocks_at_once; ++i)
    memory.blocks[t % lanes * blocks_at_once + i / 8].rows[i % 8] = make_uint4(0, 0, 0, 0);
  for (int c = 0; c < 3; ++c) memory.dc[c][t % lanes] = 0;
  __syncthreads();  // the tables are there, and all levels are 0

  const int interval = int(blockIdx.x) * threads + t;
  if (interval - t % lanes >= intervals) return;  // the whole warp
  const bool is_there = interval < intervals;
  lane_work lane{memory.blocks + t % lanes * blocks_at_once, interval * layout.blocks_in_interval(), 0};
  if (is_there) lane.left = min(layout.blocks_in_interval(), layout.blocks() - lane.first);
  lane.begin_block(plan);
  bit_reader in(words, is_there ? begins[interval] : 0, begins[intervals]);
  for (bool has_more = true; has_more;) {
    for (int turn = 0; turn < turns; ++turn)
      if (lane.can_read()) read_one(in, lane, reinterpret_cast<const std::uint32_t*>(table), plan);
    has_more = __any_sync(~0u, lane.left > 0);
    if (!has_more || __any_sync(~0u, !lane.can_read() && lane.left > 0)) write_blocks(lane, memory, plan);
  }
  if (is_there && !(lane.good && in.bytes_read() == begins[interval + 1]))
    atomicMin(&findings->damaged, unsigned(interval));
}

}  // namespace

jpeg_decoder::jpeg_decoder(const jpeg_head& head, std::size_t shared_limit) : head_(head), findings_(1) {
  if (head.layout.restart_interval == 0)
    throw jpeg_refused(
        "the file has no restart markers, so that its blocks can be found only one after the other");
  begins_ = device_buffer<int>(std::size_t(head.layout.intervals()) + 1);

  // Element k of the path is the place of level k - 1, for each k that read_one() comes to.
  std::vector<std::uint32_t> tables(read_symbol::all_places + read_symbol::end_of_block);
  std::ranges::copy(zigzag_order(), tables.begin() + 1);
  const auto append = [&](const huffman_code& code, coefficient_kind kind) {
    const unsigned begin = unsigned(tables.size());
    if (code.symbols.empty()) return begin;
    for (const std::uint32_t entry : reading_table_of(code, kind)) tables.push_back(entry);
    return begin;
  };
  for (int i = 0; i < 2; ++i) {  // behind the path
    dc_at_[i] = append(head.dc[i], coefficient_kind::dc);
    ac_at_[i] = append(head.ac[i], coefficient_kind::ac);
  }
  tables.resize(std::size_t(4 * ceil_div(int(tables.size()), 4)));  // whole words of 16 bytes
  tables_ = device_buffer<std::uint32_t>(tables);
  for (warps_ = most_warps; shared_bytes() > shared_limit;)
    if (--warps_ == 0)
      throw jpeg_refused("its codes need " +
                         std::to_string(tables_.span().size_bytes() + sizeof(warp_memory)) +
                         " bytes of shared memory, and a block has at most " + std::to_string(shared_limit));

  for (int c = 0; c < head.picture.channels; ++c) {
    const bool halves = c > 0 && head.picture.sampling == chroma_sampling::s420;
    const int width = halves ? half_as_many(head.picture.width) : head.picture.width;
    const int height = halves ? half_as_many(head.picture.height) : head.picture.height;
    levels_[c] = device_plane<std::int16_t>(padded(width), padded(height));
    samples_[c] = device_plane<std::uint8_t>(width, height);
  }
}

std::size_t most_shared_bytes() {
  int device = 0, bytes = 0;
  check(cudaGetDevice(&device));
  check(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
  return std::size_t(bytes);
}

std::size_t jpeg_decoder::shared_bytes() const {
  return tables_.span().size_bytes() + std::size_t(warps_) * sizeof(warp_memory);
}

void jpeg_decoder::decode(device_span<const std::uint8_t> scan) {
  if (scan.size() < 2 || scan.size() > std::size_t(scan_cleaner::most_bytes))
    throw jpeg_refused("the coded levels have " + std::to_string(scan.size()) + " bytes");
  const int intervals = head_.layout.intervals();
  check(cudaMemset(findings_.data(), 0xFF, sizeof(scan_findings)));
  cleaner_.clean(scan, intervals, begins_.data(), findings_.data());

  decode_plan plan{};
  plan.layout = head_.layout;
  plan.table_words = int(tables_.span().size_bytes()) / 16;
  for (int c = 0; c < head_.picture.channels; ++c) {
    plan.tables[c] = dc_at_[head_.dc_of[c]] | ac_at_[head_.ac_of[c]] << 16;
    plan.levels[c] = levels_[c].span().data();
    plan.pitch[c] = int(levels_[c].pitch() / sizeof(std::int16_t));
  }
  // The kernel keeps what it was last allowed, for whichever decoder: each call says what it needs.
  check(cudaFuncSetAttribute(decode_intervals_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             int(shared_bytes())));
  const int threads = warps_ * lanes;
  decode_intervals_kernel<<<unsigned(ceil_div(intervals, threads)), threads, shared_bytes()>>>(
      cleaner_.words(), begins_.data(), tables_.data(), plan, findings_.data());
  check(cudaGetLastError());
  for (int c = 0; c < head_.picture.channels; ++c)
    decode_fused(levels_[c], head_.picture.steps[c], samples_[c]);

  const scan_findings found = findings_.to_host()[0];  // waits for all of them
  if (found.markers != intervals)                      // one behind each, and the end of the image
    throw jpeg_refused("the file is damaged: it has " + std::to_string(found.markers) + " markers where " +
                       std::to_string(intervals) + " are due");
  if (found.damaged != ~0u)
    throw jpeg_refused("the file is damaged in interval " + std::to_string(found.damaged));
}

}  // namespace tutorial

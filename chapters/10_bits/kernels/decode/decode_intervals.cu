// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// Where a block begins is known only when the one before it has been read. Where a restart interval begins
/// is known beforehand, so a thread reads each. Tables and levels are in shared memory meanwhile, and whole
/// rows of levels go out to device memory.
#include <cuda_pipeline.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "08_dct8x8/host/dct_serial.hpp"
#include "09_dct_compression/kernels/compress_fused.hpp"
#include "10_bits/host/reading_tables.hpp"
#include "10_bits/kernels/encode/tile_code.cuh"
#include "common/device/ceil_div.hpp"
#include "common/device/check.hpp"
#include "common/device/shared_memory.hpp"
#include "decode_intervals.hpp"

namespace tutorial {
namespace {

constexpr int lanes = 32;
constexpr int most_warps = 4, most_threads = most_warps * lanes;  // of a block
constexpr int blocks_at_once = 4;                                 // of each thread
constexpr int turns = 8;  // between two looks at whether a lane has no room left

// A copy may take from one of these looks to the next. A turn reads a word at most.
constexpr unsigned words_ahead = 2 * turns;

/// The bits of an interval; behind its end come those of the next one. Their words come to shared memory long
/// before they are needed. (A register would not do: where one lane loads it, the whole warp waits before any
/// lane uses it.)
class bit_reader {
 public:
  /// From byte `begin` of these words on; `end` is the number of bytes that they hold, 32 zeros not counted.
  /// ring[i * lanes] for 0 <= i < words_ahead is this lane's.
  __device__ bit_reader(const std::uint32_t* words, int begin, int end, std::uint32_t* ring)
      : words_(words),
        ring_(ring),
        next_(unsigned(begin) / 4),
        last_(unsigned(end) / 4 + 6),
        used_(8 * (unsigned(begin) % 4)) {
    for (unsigned i = 0; i < words_ahead; ++i) fetch(next_ + i);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    now_ = next_word(), go_on();
    then_ = next_word(), go_on();
  }

  /// The next 32 bits, the first one at the top. They stay.
  __device__ std::uint32_t look() const { return __funnelshift_l(then_, now_, used_); }
  /// The 32 bits behind those that look() can come to see. In shared memory: to be asked for early.
  __device__ std::uint32_t next_word() const {
    return __byte_perm(*place(next_), 0, 0x0123);  // the first of its four bytes at the top
  }
  /// 0 <= count <= 31.
  __device__ void skip(unsigned count, std::uint32_t next_word) {
    used_ += count;
    const bool all_used = used_ >= 32;
    now_ = all_used ? then_ : now_;
    then_ = all_used ? next_word : then_;
    if (all_used) go_on();
    used_ %= 32;
  }
  /// After this, the words asked for before the last call are there.
  __device__ void wait() {
    __pipeline_commit();
    __pipeline_wait_prior(1);
  }
  /// How many bytes, from the first word on, have been begun; more than `end` where it has read beyond that.
  __device__ int bytes_read() const { return int(4 * (next_ - 2) + (used_ + 7) / 8); }

 private:
  __device__ std::uint32_t* place(unsigned word) const { return ring_ + word % words_ahead * lanes; }
  // In a damaged file a reader can run far beyond the end: it gets the last word again and again.
  __device__ void fetch(unsigned word) {
    __pipeline_memcpy_async(place(word), words_ + min(word, last_), sizeof(std::uint32_t));
  }
  __device__ void go_on() {
    fetch(next_ + words_ahead);
    ++next_;
  }

  const std::uint32_t* words_;
  std::uint32_t* ring_;
  unsigned next_, last_;      // behind then_; last of all
  unsigned used_;             // bits of now_
  std::uint32_t now_, then_;  // the words with the next bits
};

/// The number whose 32 - shift bits are at the top: the inverse of extra_bits(). 0 <= 32 - shift <= 15.
__device__ int level_of(std::uint32_t bits, unsigned shift) {
  const std::uint32_t negative = ~std::uint32_t(int(bits) >> 31);  // all ones where the top bit is 0
  return int((__funnelshift_rc(bits ^ negative, 0, shift) ^ negative) - negative);
}

/// A block that is being read. The last row takes what is no level, and puts the rows of neighboring blocks
/// into different banks.
struct block_in_work {
  static constexpr int no_level = 64;  ///< A place in the last row.
  uint4 rows[9];                       ///< Eight levels each.

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
  std::uint32_t words[words_ahead][lanes];       ///< See bit_reader.
  read_block list[lanes * blocks_at_once];       ///< Those to be written.
};

/// Where the tables for a block of a unit begin: that for its DC, and that for the others.
struct alignas(8) block_tables {
  std::uint16_t dc, ac;
  int next;  ///< The place in its unit of the block behind.
};

/// What a kernel is given once for all blocks: the scan, its tables, and where the levels belong.
struct decode_plan {
  scan_layout layout;
  block_tables of_unit[scan_layout::most_in_unit];
  int table_words;          ///< Of 16 bytes, those of the path included.
  std::int16_t* levels[3];  ///< Of a component; one row after the other, `pitch` levels each.
  int pitch[3];

  /// Of a block with that place in its unit.
  __host__ __device__ int component(int in_unit) const { return layout.in_unit[in_unit].component; }
  /// The place of the block behind.
  __host__ __device__ int next(int in_unit) const {
    return in_unit + 1 == layout.blocks_in_unit ? 0 : in_unit + 1;
  }
  /// The first level of a block in device memory; nullptr: it is not real.
  __device__ std::int16_t* place(const scan_block& at) const {
    return at.is_real ? levels[at.component] + std::int64_t{8} * at.row * pitch[at.component] + 8 * at.column
                      : nullptr;
  }
};

/// One lane's way through its interval. The blocks that it has read stay in shared memory until the warp
/// writes them.
struct lane_work {
  // Of the interval.
  block_in_work* blocks;  ///< Its block number b is at blocks[b % blocks_at_once].
  unsigned first, count;  ///< The number of its first block in the scan; how many there are.
  unsigned room_until;    ///< So many can be read before the warp writes.
  unsigned read = 0, added = 0, written = 0;  ///< Blocks; added: whose DC is one, and not a difference.
  int added_in_unit = 0;                      ///< The place in its unit of the next block to be added.
  bool good = true;                           ///< No DC is out of range.
  unsigned wrong = ~0u;                       ///< Below 64: there was a symbol that no block has.
  // Of the next symbol.
  block_tables next{};      ///< Of the block after its block.
  int table = 0, ac = 0;    ///< Its table; that of the block's ACs.
  int shift = first_shift;  ///< 32 minus the bits that select an entry there.
  int place = 0;            ///< On the path.
  block_in_work* block = blocks;
  // The level still to be stored.
  block_in_work* to = blocks;
  int level = 0, at = block_in_work::no_level;  ///< It, and its place in the block.

  /// Goes on with the block behind.
  __device__ void take_tables(const block_tables* of_unit) {
    table = next.dc, ac = next.ac;
    next = of_unit[next.next];
  }
  __device__ int slot_of(unsigned number) const { return int(number % unsigned{blocks_at_once}); }
  __device__ block_in_work* place_of(unsigned number) const { return blocks + slot_of(number); }
  __device__ bool has_room() const { return read != room_until; }
  __device__ bool is_done() const { return read == count; }
  /// A level is stored a turn after its place was looked up: that load has arrived by then.
  __device__ void store_level() const { to->levels()[at] = std::int16_t(level); }
};

// [decode]
/// One turn of a lane: the next symbol of its interval, DC or AC, or the first ten bits of a longer word.
/// `tables` begins with the path.
__device__ void read_one(bit_reader& in, lane_work& lane, const std::uint32_t* tables,
                         const block_tables* of_unit) {
  const std::uint32_t bits = in.look(), next_word = in.next_word();
  const read_symbol symbol{tables[lane.table + (bits >> lane.shift)]};
  lane.store_level();
  in.skip(unsigned(symbol.bits()), next_word);
  // Where a word goes on, the last level is stored once more.
  if (!symbol.goes_on()) lane.level = level_of(bits << symbol.word_bits(), unsigned(symbol.shift()));
  lane.place += symbol.advance();
  lane.at = int(tables[lane.place]);
  lane.to = lane.block;
  lane.table = symbol.goes_on() ? lane.table + symbol.next_table() : lane.ac;
  lane.shift = symbol.goes_on() ? symbol.next_shift() : first_shift;
  lane.wrong = min(lane.wrong, unsigned(lane.place - read_symbol::none));
  // Does the block end, with its last level or the symbol for that? Or no block has such a symbol.
  const bool ends = lane.place >= read_symbol::all_places;
  if (ends) lane.take_tables(of_unit);
  lane.place = ends ? 0 : lane.place;
  lane.read += ends;
  lane.block = lane.place_of(lane.read);
}
// [decode]

/// Whole rows of blocks that have been read go to device memory; in shared memory their levels are 0 again.
__device__ void write_blocks(lane_work& lane, warp_memory& memory, const decode_plan& plan) {
  const int t = threadIdx.x % lanes;
  lane.store_level();
  lane.at = block_in_work::no_level;
#pragma unroll 1
  for (; lane.added < lane.read; ++lane.added) {
    std::int16_t* const levels = lane.place_of(lane.added)->levels();
    int& dc = memory.dc[plan.component(lane.added_in_unit)][t];
    dc += levels[0];
    if (dc < -1024 || dc > 1023) lane.good = false, dc = 0;
    levels[0] = std::int16_t(dc);
    lane.added_in_unit = plan.next(lane.added_in_unit);
  }
  const unsigned end = lane.is_done() ? lane.read : lane.read & ~1u;  // in pairs, which fill sectors
  const int count = int(end - lane.written), before = sum_of_lanes_before(count);
  const int all = __shfl_sync(~0u, before + count, lanes - 1);
#pragma unroll 1
  for (int i = before; lane.written < end; ++i, ++lane.written)
    memory.list[i] = {t * blocks_at_once + lane.slot_of(lane.written), int(lane.first + lane.written)};
  lane.room_until = min(lane.count, end + unsigned{blocks_at_once});
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
  __shared__ block_tables of_unit[scan_layout::most_in_unit];
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
  if (t < layout.blocks_in_unit) of_unit[t] = plan.of_unit[t];
  __syncthreads();  // the tables are there, and all levels are 0

  const int interval = int(blockIdx.x) * threads + t;
  if (interval - t % lanes >= intervals) return;  // the whole warp
  const bool is_there = interval < intervals;
  const int first = interval * layout.blocks_in_interval();
  const unsigned count = is_there ? min(layout.blocks_in_interval(), layout.blocks() - first) : 0;
  lane_work lane{memory.blocks + t % lanes * blocks_at_once, unsigned(first), count,
                 min(count, unsigned{blocks_at_once})};
  lane.next = of_unit[0];
  lane.take_tables(of_unit);
  bit_reader in(words, is_there ? begins[interval] : 0, begins[intervals], memory.words[0] + t % lanes);
  for (bool has_more = true; has_more;) {
    in.wait();
#pragma unroll 2
    for (int turn = 0; turn < turns; ++turn)
      if (lane.has_room()) read_one(in, lane, reinterpret_cast<const std::uint32_t*>(table), of_unit);
    has_more = __any_sync(~0u, !lane.is_done());
    if (!has_more || __any_sync(~0u, !lane.has_room() && !lane.is_done())) write_blocks(lane, memory, plan);
  }
  if (is_there && !(lane.good && lane.wrong >= 64 && in.bytes_read() == begins[interval + 1]))
    atomicMin(&findings->damaged, unsigned(interval));
}

}  // namespace

jpeg_decoder::jpeg_decoder(const jpeg_head& head, std::size_t shared_limit) : head_(head), findings_(1) {
  if (head.layout.restart_interval == 0)
    throw jpeg_refused(
        "the file has no restart markers, so that its blocks can be found only one after the other");
  begins_ = device_buffer<int>(std::size_t(head.layout.intervals()) + 1);

  // Element k of the path is the place of level k - 1, for each k that read_one() comes to.
  std::vector<std::uint32_t> tables(read_symbol::all_places + read_symbol::end_of_block,
                                    block_in_work::no_level);
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

std::size_t most_shared_bytes() { return allow_most_shared_memory(decode_intervals_kernel); }

std::size_t granted_shared_bytes() {
  cudaFuncAttributes has{};
  check(cudaFuncGetAttributes(&has, decode_intervals_kernel));
  return std::size_t(has.maxDynamicSharedSizeBytes);
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
  for (int i = 0; i < plan.layout.blocks_in_unit; ++i) {
    const int c = plan.component(i);
    plan.of_unit[i] = {std::uint16_t(dc_at_[head_.dc_of[c]]), std::uint16_t(ac_at_[head_.ac_of[c]]),
                       plan.next(i)};
  }
  for (int c = 0; c < head_.picture.channels; ++c) {
    plan.levels[c] = levels_[c].span().data();
    plan.pitch[c] = int(levels_[c].pitch() / sizeof(std::int16_t));
  }
  most_shared_bytes();  // from now on blocks may have them
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

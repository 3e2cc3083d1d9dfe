// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// Where a block begins is known only when the one before it has been read. Where a restart interval begins
/// is known beforehand, so a thread reads each. Tables and levels are in shared memory meanwhile, and whole
/// rows of levels go out to device memory.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "08_dct8x8/host/dct_serial.hpp"
#include "09_dct_compression/kernels/compress_fused.hpp"
#include "common/device/ceil_div.hpp"
#include "common/device/check.hpp"
#include "decode_intervals.hpp"
#include "reading_tables.hpp"
#include "scan_words.cuh"

namespace tutorial {
namespace {

constexpr int lanes = 32, warps = 4;
constexpr int blocks_at_once = 4;  // of each thread; rows of two neighbors fill a sector of 32 bytes

/// Bits of an interval, without the zeros behind 0xFF. Behind its end come those of the next one.
class bit_reader {
 public:
  /// From scan[begin] on, of `size` bytes at any address. Reads nothing outside of the scan: there all is 0.
  __device__ bit_reader(const std::uint8_t* scan, int size, int begin)
      : scan_(scan), size_(size), at_(begin - (bytes_before(scan) + begin) % 4) {
    ahead_ = four_of_scan(scan_, size_, at_);
    take_bytes(begin - at_);
  }

  /// The next 32 bits, the first one at the top. They stay.
  __device__ std::uint32_t look() {
    if (count_ < 32) {
      if (after_ff_ || has_ff(ahead_)) {
        do take_bytes(0);
        while (count_ < 32);
      } else {
        append(__byte_perm(ahead_, 0, 0x0123), 32);
        next();
      }
    }
    return std::uint32_t(window_ >> 32);
  }
  /// 0 <= count <= 32.
  __device__ void skip(int count) {
    window_ <<= count;
    count_ -= count;
  }
  /// All bytes up to scan[end] have been read, and none of those from there on.
  __device__ bool is_at(int end) const {
    int at = at_ + (after_ff_ ? 1 : 0);
    if (at - 16 > end) return false;  // no more are in the window, their zeros included
    for (int left = count_ / 8; left > 0; --left) {
      --at;
      if (at > 0 && at <= size_ && scan_[at - 1] == 0xFF) --at;  // that was its zero
    }
    return at == end;
  }

 private:
  __device__ static bool has_ff(std::uint32_t word) {
    return ((~word - 0x01010101u) & word & 0x80808080u) != 0;
  }
  __device__ void append(std::uint32_t bits, int count) {
    window_ |= std::uint64_t(bits) << 32 >> count_;
    count_ += count;
  }
  /// One by one, from byte `first` of the four on.
  __device__ void take_bytes(int first) {
#pragma unroll 1
    for (int i = first; i < 4; ++i) {
      const std::uint32_t byte = ahead_ >> (8 * i) & 255;
      if (!after_ff_) append(byte << 24, 8);
      after_ff_ = !after_ff_ && byte == 0xFF;
    }
    next();
  }
  // They are needed only when all that is in the window has been read, so the load has time to arrive. In a
  // damaged file at_ can run far beyond the scan; a few bytes beyond are enough for is_at() to see it.
  __device__ void next() {
    at_ = min(at_ + 4, size_ + 32);
    ahead_ = four_of_scan(scan_, size_, at_);
  }

  const std::uint8_t* scan_;
  int size_, at_;             // bytes before at_ are in the window, or were
  std::uint32_t ahead_;       // the four from there on
  bool after_ff_ = false;     // the next byte is a zero that does not count
  std::uint64_t window_ = 0;  // the first bit at the top
  int count_ = 0;             // how many of its bits are there
};

/// The number of that size whose bits are at the top: the inverse of extra_bits(). 1 <= size <= 15.
__device__ int level_of(std::uint32_t bits, int size) {
  const std::uint32_t negative = ~std::uint32_t(int(bits) >> 31);  // all ones where the top bit is 0
  return int((((bits ^ negative) >> (32 - size)) ^ negative) - negative);
}

/// A block that is being read, and where it belongs. 16 bytes more than its levels: so that threads that read
/// rows of different blocks find them in different banks.
struct block_in_work {
  uint4 rows[8];        ///< Eight levels each.
  std::int16_t* to;     ///< Its first level in device memory; nullptr: there is none, or it is not real.
  unsigned tables;      ///< As decode_plan::tables.
  std::uint16_t pitch;  ///< From row to row; in rows of a block, which have eight levels.
  std::uint8_t component;

  /// The levels, row by row.
  __device__ std::int16_t* levels() { return reinterpret_cast<std::int16_t*>(rows); }
};
static_assert(sizeof(block_in_work) % 32 == 16, "rows of neighboring blocks are in different banks");

/// The shared memory of a warp.
struct warp_memory {
  block_in_work blocks[lanes][blocks_at_once];
  int dc[3][lanes];  ///< That of the last block, of each component and lane.
};

struct decode_plan {
  scan_layout layout;
  /// Of a component: where its table for DCs begins, and 65536 times where that for the others does.
  unsigned tables[3];
  int table_words;          ///< Of 16 bytes, those of the path included.
  std::int16_t* levels[3];  ///< Of a component; one row after the other, `pitch` levels each.
  int pitch[3];
};

/// Says where block number `block` of the scan belongs, if it is there.
__device__ void begin_block(block_in_work& work, const decode_plan& plan, int block, bool is_there) {
  work.to = nullptr;
  if (!is_there) return;
  const scan_block at = plan.layout.at(block);
  const int c = at.component;
  work.component = std::uint8_t(c);
  work.tables = plan.tables[c];
  work.pitch = std::uint16_t(plan.pitch[c] / 8);
  if (at.is_real) work.to = plan.levels[c] + std::int64_t{8} * at.row * plan.pitch[c] + 8 * at.column;
}

// [decode]
/// The next `count` blocks of a thread's interval to shared memory, where all levels are 0 before. Returns
/// whether they are good. A turn of the loop reads a symbol, DC or AC: so no lane of the warp waits until
/// another one is through with its block.
__device__ bool read_blocks(bit_reader& in, const std::uint16_t* tables, int count, block_in_work* block) {
  const std::uint16_t* const path = tables;
  unsigned own = block->tables, now = own & 0xffff;  // those of the block; that of the next symbol
  // A level is stored a turn later: the load of its place has arrived by then.
  std::int16_t *levels = block->levels(), *to = levels;
  int level = 0, at = 0;
  for (int k = 0;;) {  // the next symbol's place on the path
    const std::uint32_t bits = in.look();
    const read_symbol word = look_up(tables + now, bits);
    if (level != 0) to[at] = std::int16_t(level);
    const int place = k + (word.symbol >> 4), extra = word.symbol & 15;
    in.skip(word.length + extra);
    if (word.length == 0 || place > 63) return false;
    to = levels;
    at = path[place];
    level = extra == 0 ? 0 : level_of(bits << word.length, extra);
    now = own >> 16;
    const bool ends = place == 63 || (k != 0 && word.symbol == 0);  // 0: only zeros follow
    k = place + 1;
    if (!ends) continue;
    if (--count == 0) break;
    ++block;
    levels = block->levels();
    own = block->tables;
    now = own & 0xffff;
    k = 0;
  }
  if (level != 0) to[at] = std::int16_t(level);
  return true;
}
// [decode]

/// The file holds the DCs as differences. Returns whether all are in range.
__device__ bool add_dcs(block_in_work* blocks, int count, int (&dc)[3][lanes]) {
  bool good = true;
  for (int b = 0; b < count; ++b) {
    int& last = dc[blocks[b].component][threadIdx.x % lanes];
    last += blocks[b].levels()[0];
    good = good && last >= -1024 && last <= 1023;
    blocks[b].levels()[0] = std::int16_t(last);
  }
  return good;
}

/// All real blocks of the warp to device memory; the levels in shared memory are 0 again. Neighbors in a row
/// of the picture are neighbors in the warp.
__device__ void write_blocks(warp_memory& memory) {
  __syncwarp();  // the levels of all lanes are there
  for (int i = threadIdx.x % lanes; i < 8 * lanes * blocks_at_once; i += lanes) {
    const int row = i / (lanes * blocks_at_once);
    block_in_work& block = memory.blocks[i / blocks_at_once % lanes][i % blocks_at_once];
    const uint4 levels = block.rows[row];
    block.rows[row] = make_uint4(0, 0, 0, 0);
    if (block.to != nullptr) reinterpret_cast<uint4*>(block.to)[row * block.pitch] = levels;
  }
  __syncwarp();  // all are written, and 0 again
}

/// The levels of 128 intervals, one thread for each; findings->damaged = the first one that is wrong. The
/// dynamic shared memory holds the tables, and behind them a warp_memory for each warp.
__global__ void __launch_bounds__(lanes* warps, 2)
    decode_intervals_kernel(const std::uint8_t* scan, int size, const int* begins,
                            const std::uint16_t* tables, const __grid_constant__ decode_plan plan,
                            scan_findings* findings) {
  extern __shared__ __align__(16) unsigned char dynamic_memory[];
  const scan_layout& layout = plan.layout;
  const int t = threadIdx.x, lane = t % lanes, intervals = layout.intervals();
  if (findings->markers != intervals) return;  // all threads: begins are not there, or not the right ones
  uint4* const table = reinterpret_cast<uint4*>(dynamic_memory);
  for (int i = t; i < plan.table_words; i += lanes * warps)
    table[i] = reinterpret_cast<const uint4*>(tables)[i];
  warp_memory& memory = reinterpret_cast<warp_memory*>(table + plan.table_words)[t / lanes];
  for (int i = lane; i < lanes * blocks_at_once * 8; i += lanes)
    memory.blocks[i / 8 / blocks_at_once][i / 8 % blocks_at_once].rows[i % 8] = make_uint4(0, 0, 0, 0);
  for (int c = 0; c < 3; ++c) memory.dc[c][lane] = 0;
  __syncthreads();  // the tables are there, and all levels are 0

  const int interval = int(blockIdx.x) * lanes * warps + t;
  if (interval - lane >= intervals) return;  // the whole warp
  const bool is_there = interval < intervals;
  bit_reader in(scan, size, is_there ? begins[interval] : 0);
  const int most = min(layout.blocks_in_interval(), layout.blocks());
  const int first = interval * layout.blocks_in_interval();
  const int count = is_there ? min(most, layout.blocks() - first) : 0;
  bool good = true;
  for (int done = 0; done < most; done += blocks_at_once) {
    const int now = good ? max(0, min(blocks_at_once, count - done)) : 0;
    block_in_work(&blocks)[blocks_at_once] = memory.blocks[lane];
    for (int b = 0; b < blocks_at_once; ++b) begin_block(blocks[b], plan, first + done + b, b < now);
    if (now > 0)
      good = read_blocks(in, reinterpret_cast<const std::uint16_t*>(table), now, blocks) &&
             add_dcs(blocks, now, memory.dc);
    write_blocks(memory);
  }
  if (is_there && !(good && in.is_at(begins[interval + 1] - 2)))
    atomicMin(&findings->damaged, unsigned(interval));
}

}  // namespace

jpeg_decoder::jpeg_decoder(const jpeg_head& head) : head_(head), findings_(1) {
  if (head.layout.restart_interval == 0)
    throw jpeg_refused(
        "the file has no restart markers, so that its blocks can be found only one after the other");
  begins_ = device_buffer<int>(std::size_t(head.layout.intervals()) + 1);

  std::vector<std::uint16_t> tables(zigzag_order().begin(), zigzag_order().end());
  const auto append = [&](const huffman_code& code, coefficient_kind kind) {
    const unsigned begin = unsigned(tables.size());
    if (code.symbols.empty()) return begin;
    for (const std::uint16_t entry : reading_table_of(code, kind)) tables.push_back(entry);
    return begin;
  };
  for (int i = 0; i < 2; ++i) {  // behind the path
    dc_at_[i] = append(head.dc[i], coefficient_kind::dc);
    ac_at_[i] = append(head.ac[i], coefficient_kind::ac);
  }
  tables.resize(std::size_t(8 * ceil_div(int(tables.size()), 8)));  // whole words of 16 bytes
  tables_ = device_buffer<std::uint16_t>(tables);
  check(cudaFuncSetAttribute(decode_intervals_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             int(shared_bytes())));

  for (int c = 0; c < head.picture.channels; ++c) {
    const bool halves = c > 0 && head.picture.sampling == chroma_sampling::s420;
    const int width = halves ? half_as_many(head.picture.width) : head.picture.width;
    const int height = halves ? half_as_many(head.picture.height) : head.picture.height;
    levels_[c] = device_plane<std::int16_t>(padded(width), padded(height));
    samples_[c] = device_plane<std::uint8_t>(width, height);
  }
}

std::size_t jpeg_decoder::shared_bytes() const {
  return tables_.span().size_bytes() + warps * sizeof(warp_memory);
}

void jpeg_decoder::decode(device_span<const std::uint8_t> scan) {
  if (scan.size() < 2 || scan.size() > std::size_t(interval_finder::most_bytes))
    throw jpeg_refused("the coded levels have " + std::to_string(scan.size()) + " bytes");
  const int size = int(scan.size()), intervals = head_.layout.intervals();
  check(cudaMemset(findings_.data(), 0xFF, sizeof(scan_findings)));
  finder_.find(scan, intervals, begins_.data(), findings_.data());

  decode_plan plan{};
  plan.layout = head_.layout;
  plan.table_words = int(tables_.span().size_bytes()) / 16;
  for (int c = 0; c < head_.picture.channels; ++c) {
    plan.tables[c] = dc_at_[head_.dc_of[c]] | ac_at_[head_.ac_of[c]] << 16;
    plan.levels[c] = levels_[c].span().data();
    plan.pitch[c] = int(levels_[c].pitch() / sizeof(std::int16_t));
  }
  decode_intervals_kernel<<<unsigned(ceil_div(intervals, lanes * warps)), lanes * warps, shared_bytes()>>>(
      scan.data(), size, begins_.data(), tables_.data(), plan, findings_.data());
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

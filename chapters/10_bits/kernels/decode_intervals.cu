// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// Where a block begins is known only when the one before it has been read. Where a restart interval begins
/// is known beforehand, so a thread reads each. Tables, bytes and levels are in shared memory meanwhile, and
/// whole rows of levels go out to device memory.
#include <algorithm>
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

constexpr int lanes = 32;          // a block of threads is a warp: few intervals spread over the whole device
constexpr int blocks_at_once = 2;  // of each thread; rows of two neighbors fill a sector of 32 bytes

/// Bits of an interval, without the zeros behind 0xFF; zeros behind its end.
class bit_reader {
 public:
  /// From `size` bytes, in shared or in device memory.
  __device__ bit_reader(const std::uint8_t* bytes, int size) : bytes_(bytes), size_(size) { load(); }

  /// The next 32 bits, the first one at the top. They stay.
  __device__ std::uint32_t look() {
    while (count_ < 32) {  // the next four bytes, or those up to the first 0xFF
      const std::uint32_t next = ahead_[0] << 24 | ahead_[1] << 16 | ahead_[2] << 8 | ahead_[3];
      const std::uint32_t ff = __vcmpeq4(next, 0xffffffffu);
      const int bits = ff == 0 ? 32 : __clz(int(ff)) + 8;
      window_ |= std::uint64_t(next & ~(0xffffffffu >> (bits - 1) >> 1)) << 32 >> count_;
      count_ += bits;
      at_ += bits / 8;
      if (ff != 0 && at_ < size_) ++at_;  // its zero
      load();
    }
    return std::uint32_t(window_ >> 32);
  }
  /// 0 <= count <= 32.
  __device__ void skip(int count) {
    window_ <<= count;
    count_ -= count;
  }
  /// Everything was there, and less than a byte is left.
  __device__ bool is_at_end() const {
    const int left = count_ - 8 * max(0, at_ - size_);  // without those that were made up
    return at_ >= size_ && left >= 0 && left < 8;
  }

 private:
  // They are put together only when they are needed: until then nobody waits for them.
  __device__ void load() {
#pragma unroll
    for (int i = 0; i < 4; ++i) ahead_[i] = at_ + i < size_ ? bytes_[at_ + i] : 0;
  }

  const std::uint8_t* bytes_;
  int size_, at_ = 0;         // bytes before at_ are in the window, or were
  std::uint32_t ahead_[4];    // ahead_[i] == bytes_[at_ + i]
  std::uint64_t window_ = 0;  // the first bit at the top
  int count_ = 0;             // how many of its bits are there
};

/// The number of that size whose bits are at the top: the inverse of extra_bits(). 0 <= size <= 15.
__device__ int level_of(std::uint32_t bits, int size) {
  const int extra = int(bits >> 1 >> (31 - size));
  return int(bits) < 0 ? extra : extra - (1 << size) + 1;
}

/// A block that is being read, and where it belongs. 16 bytes more than its levels: so that threads that read
/// rows of different blocks find them in different banks.
struct block_in_work {
  uint4 rows[8];     ///< Eight levels each.
  std::int16_t* to;  ///< Its first level in device memory; nullptr: there is none, or it is not real.
  int pitch;         ///< Levels.
  int component;

  /// The levels, row by row.
  __device__ std::int16_t* levels() { return reinterpret_cast<std::int16_t*>(rows); }
};

struct decode_plan {
  scan_layout layout;
  int dc_at[3], ac_at[3];   ///< Where the tables of a component begin.
  int table_words;          ///< Of 16 bytes, those of the path included.
  int room;                 ///< Bytes of a scan that fit behind them.
  std::int16_t* levels[3];  ///< Of a component; one row after the other, `pitch` levels each.
  int pitch[3];
};

/// Says where block number `block` of the scan belongs, if it is there.
__device__ void begin_block(block_in_work& work, const decode_plan& plan, int block, bool is_there) {
  work.to = nullptr;
  if (!is_there) return;
  const scan_block at = plan.layout.at(block);
  const int c = at.component;
  work.component = c;
  work.pitch = plan.pitch[c];
  if (at.is_real) work.to = plan.levels[c] + std::int64_t{8} * at.row * plan.pitch[c] + 8 * at.column;
}

/// The shared memory of a warp, besides tables and bytes.
struct warp_memory {
  block_in_work blocks[lanes][blocks_at_once];
  int dc[3][lanes];  ///< That of the last block, of each component and lane.
};

// [decode]
/// The next `count` blocks of a thread's interval to shared memory, where all levels are 0 before. Returns
/// whether they are good. A turn of the loop reads a symbol, DC or AC: so no lane of the warp waits until
/// another one is through with its block.
__device__ bool read_blocks(bit_reader& in, const std::uint16_t* tables, const decode_plan& plan, int count,
                            warp_memory& memory) {
  const int lane = threadIdx.x;
  int c = 0, dc_at = 0, ac_at = 0;
  for (int b = 0, k = 0; b < count;) {  // the symbol at place k of block b
    const bool is_dc = k == 0;
    if (is_dc) {
      c = memory.blocks[lane][b].component;
      dc_at = plan.dc_at[c];
      ac_at = plan.ac_at[c];
    }
    const std::uint32_t bits = in.look();
    const read_symbol word = look_up(tables + (is_dc ? dc_at : ac_at), bits);
    const int run = word.symbol >> 4, extra = word.symbol & 15;
    int level = level_of(bits << word.length, extra);
    in.skip(word.length + extra);
    if (is_dc) level = memory.dc[c][lane] += level;  // the file holds differences
    k += run;
    const bool good = word.length != 0 && k < 64 &&
                      (is_dc ? level >= -1024 && level <= 1023 : extra != 0 || run == 15 || run == 0);
    if (!good) return false;
    if (is_dc || extra != 0) memory.blocks[lane][b].levels()[tables[k]] = std::int16_t(level);
    const bool is_end = !is_dc && word.symbol == 0;  // only zeros follow
    k = is_end ? 64 : k + 1;
    if (k == 64) k = 0, ++b;
  }
  return true;
}
// [decode]

/// All real blocks of the warp to device memory; the levels in shared memory are 0 again. Neighbors in a row
/// of the picture are neighbors in the warp.
__device__ void write_blocks(warp_memory& memory) {
  __syncwarp();  // the levels of all lanes are there
  for (int i = threadIdx.x; i < 8 * lanes * blocks_at_once; i += lanes) {
    const int row = i / (lanes * blocks_at_once);
    block_in_work& block = memory.blocks[i / blocks_at_once % lanes][i % blocks_at_once];
    const uint4 levels = block.rows[row];
    block.rows[row] = make_uint4(0, 0, 0, 0);
    if (block.to != nullptr) *reinterpret_cast<uint4*>(block.to + std::int64_t{row} * block.pitch) = levels;
  }
  __syncwarp();  // all are written, and 0 again
}

/// The levels of 32 intervals, one thread for each; findings->damaged = the first one that is wrong.
__global__ void __launch_bounds__(lanes)
    decode_intervals_kernel(const std::uint8_t* scan, int size, const int* begins,
                            const std::uint16_t* tables, const __grid_constant__ decode_plan plan,
                            scan_findings* findings) {
  extern __shared__ __align__(16) unsigned char dynamic_memory[];
  __shared__ warp_memory memory;
  const scan_layout& layout = plan.layout;
  const int lane = threadIdx.x, intervals = layout.intervals();
  if (findings->markers != intervals) return;  // all threads: begins are not there, or not the right ones
  const int first_interval = blockIdx.x * lanes, interval = first_interval + lane;

  // The bytes of 32 intervals are one piece of the scan: bytes[i] == scan[piece - skew + i], if they fit.
  const int piece = begins[first_interval], skew = (bytes_before(scan) + piece) % 16;
  const int staged = skew + begins[min(first_interval + lanes, intervals)] - 2 - piece;
  const bool fits = staged <= plan.room;
  uint4 *const table = reinterpret_cast<uint4*>(dynamic_memory), *const words = table + plan.table_words;
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(words);
  for (int i = lane; i < plan.table_words; i += lanes) table[i] = reinterpret_cast<const uint4*>(tables)[i];
  for (int i = lane; fits && 16 * i < staged; i += lanes)
    words[i] = word_of_scan(scan, size, piece - skew + 16 * i);
  for (int i = lane; i < lanes * blocks_at_once * 8; i += lanes)
    memory.blocks[i / 8 / blocks_at_once][i / 8 % blocks_at_once].rows[i % 8] = make_uint4(0, 0, 0, 0);
  for (int c = 0; c < 3; ++c) memory.dc[c][lane] = 0;
  __syncwarp();  // tables and bytes are there, and all levels are 0

  const bool is_there = interval < intervals;
  const int begin = is_there ? begins[interval] : piece, end = is_there ? begins[interval + 1] - 2 : piece;
  bit_reader in(fits ? bytes + skew + (begin - piece) : scan + begin, end - begin);
  const int most = min(layout.blocks_in_interval(), layout.blocks());
  const int first = interval * layout.blocks_in_interval();
  const int count = is_there ? min(most, layout.blocks() - first) : 0;
  bool good = true;
  for (int done = 0; done < most; done += blocks_at_once) {
    const int now = max(0, min(blocks_at_once, count - done));
    for (int b = 0; b < blocks_at_once; ++b)
      begin_block(memory.blocks[lane][b], plan, first + done + b, b < now);
    good = good && read_blocks(in, reinterpret_cast<const std::uint16_t*>(table), plan, now, memory);
    write_blocks(memory);
  }
  if (is_there && !(good && in.is_at_end())) atomicMin(&findings->damaged, unsigned(interval));
}

static_assert(sizeof(block_in_work) % 32 == 16, "rows of neighboring blocks are in different banks");

int attribute(cudaDeviceAttr which) {
  int device = 0, value = 0;
  check(cudaGetDevice(&device));
  check(cudaDeviceGetAttribute(&value, which, device));
  return value;
}

}  // namespace

jpeg_decoder::jpeg_decoder(const jpeg_head& head) : head_(head), findings_(1) {
  if (head.layout.restart_interval == 0)
    throw jpeg_refused(
        "the file has no restart markers, so that its blocks can be found only one after the other");
  begins_ = device_buffer<int>(std::size_t(head.layout.intervals()) + 1);

  std::vector<std::uint16_t> tables(zigzag_order().begin(), zigzag_order().end());
  const auto append = [&](const huffman_code& code) {
    const int begin = int(tables.size());
    const std::vector<std::uint16_t> table = reading_table_of(code);
    if (!code.symbols.empty()) tables.insert(tables.end(), table.begin(), table.end());
    return begin;
  };
  for (int i = 0; i < 2; ++i) {  // behind the path
    dc_at_[i] = append(head.dc[i]);
    ac_at_[i] = append(head.ac[i]);
  }
  tables.resize(std::size_t(8 * ceil_div(int(tables.size()), 8)));  // whole words of 16 bytes
  tables_ = device_buffer<std::uint16_t>(tables);

  const int most = attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin),
            all = attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor),
            reserved = attribute(cudaDevAttrReservedSharedMemoryPerBlock),
            used = int(sizeof(warp_memory)) + int(tables_.span().size_bytes());
  const int warps =
      ceil_div(ceil_div(head.layout.intervals(), lanes), attribute(cudaDevAttrMultiProcessorCount));
  most_staged_ = most - used;
  share_ = (all / warps - reserved) / 1024 * 1024 - used;  // it is handed out in larger pieces than bytes
  check(cudaFuncSetAttribute(decode_intervals_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             most - int(sizeof(warp_memory))));
  check(cudaFuncSetAttribute(decode_intervals_kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                             cudaSharedmemCarveoutMaxShared));

  for (int c = 0; c < head.picture.channels; ++c) {
    const bool halves = c > 0 && head.picture.sampling == chroma_sampling::s420;
    const int width = halves ? half_as_many(head.picture.width) : head.picture.width;
    const int height = halves ? half_as_many(head.picture.height) : head.picture.height;
    levels_[c] = device_plane<std::int16_t>(padded(width), padded(height));
    samples_[c] = device_plane<std::uint8_t>(width, height);
  }
}

void jpeg_decoder::decode(device_span<const std::uint8_t> scan) {
  if (scan.size() < 2 || scan.size() > std::size_t(interval_finder::most_bytes))
    throw jpeg_refused("the coded levels have " + std::to_string(scan.size()) + " bytes");
  const int size = int(scan.size()), intervals = head_.layout.intervals(), grid = ceil_div(intervals, lanes);
  check(cudaMemset(findings_.data(), 0xFF, sizeof(scan_findings)));
  finder_.find(scan, intervals, begins_.data(), findings_.data());

  decode_plan plan{};
  plan.layout = head_.layout;
  plan.table_words = int(tables_.span().size_bytes()) / 16;
  // So much that all warps are at work at once; or, if that is little, half as much again as an average one
  // needs. Never more than the scan takes.
  const int needed = std::min(std::max(share_, size / grid / 2 * 3 + 512), size + 32);
  plan.room = std::min(most_staged_, needed) / 16 * 16;
  for (int c = 0; c < head_.picture.channels; ++c) {
    plan.dc_at[c] = dc_at_[head_.dc_of[c]];
    plan.ac_at[c] = ac_at_[head_.ac_of[c]];
    plan.levels[c] = levels_[c].span().data();
    plan.pitch[c] = int(levels_[c].pitch() / sizeof(std::int16_t));
  }
  decode_intervals_kernel<<<unsigned(grid), lanes, std::size_t(16 * plan.table_words + plan.room)>>>(
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

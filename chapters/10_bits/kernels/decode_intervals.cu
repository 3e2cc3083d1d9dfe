// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// Where a block begins is known only when the one before it has been read. A restart marker can be found by
/// itself: no coded byte 0xFF is followed by anything but 0. So threads find all markers, and each then reads
/// the interval behind one.
#include <thrust/execution_policy.h>
#include <thrust/scan.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "08_dct8x8/host/dct_serial.hpp"
#include "09_dct_compression/kernels/compress_fused.hpp"
#include "common/device/ceil_div.hpp"
#include "common/device/check.hpp"
#include "decode_intervals.hpp"

namespace tutorial {
namespace {

constexpr int threads_per_block = 128;
constexpr int bytes_per_thread = 16;  // of the kernels that look for markers

// [markers]
__device__ bool is_restart(std::uint8_t first, std::uint8_t second) {
  return first == 0xFF && second >= 0xD0 && second <= 0xD7;
}
__device__ bool is_end(std::uint8_t first, std::uint8_t second) { return first == 0xFF && second == 0xD9; }

/// counts[i] = markers that begin among the 16 bytes of thread i.
__global__ void count_markers_kernel(const std::uint8_t* scan, int size, int* counts) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x, first = thread * bytes_per_thread;
  if (first >= size) return;
  int count = 0;
  for (int i = first; i < min(first + bytes_per_thread, size - 1); ++i)
    count += is_restart(scan[i], scan[i + 1]) || is_end(scan[i], scan[i + 1]);
  counts[thread] = count;
}

/// begins[m + 1] = the byte behind marker m, as far as there is room; begins[0] = 0. A marker with the wrong
/// number is damage.
__global__ void find_intervals_kernel(const std::uint8_t* scan, int size, const int* markers_before, int room,
                                      int* begins, unsigned* damaged) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x, first = thread * bytes_per_thread;
  if (thread == 0) begins[0] = 0;
  if (first >= size) return;
  int marker = markers_before[thread];
  for (int i = first; i < min(first + bytes_per_thread, size - 1); ++i) {
    const bool restart = is_restart(scan[i], scan[i + 1]);
    if (!restart && !is_end(scan[i], scan[i + 1])) continue;
    if (marker + 1 < room) begins[marker + 1] = i + 2;
    const bool is_last = marker + 2 == room;  // the end of the image, behind the last interval
    if (restart == is_last || (restart && scan[i + 1] - 0xD0 != marker % 8))
      atomicMin(damaged, unsigned(marker));
    ++marker;
  }
}
// [markers]

/// A code for reading: the symbol of any 8 bits that begin with a word of at most 8, and for longer words the
/// first one of each length (ITU-T T.81, F.2.2.3).
struct reading_table {
  std::uint16_t by_byte[256];  ///< length << 8 | symbol; 0: a longer word
  int above[17];               ///< Words of this length are below it; taken as 16 bits, filled up with zeros.
  int first_word[17], first_symbol[17];
  std::uint8_t symbols[256];
};

reading_table reading_table_of(const huffman_code& code) {
  reading_table table{};
  std::copy(code.symbols.begin(), code.symbols.end(), table.symbols);
  int word = 0, symbol = 0;
  for (int length = 1; length <= 16; ++length, word <<= 1) {
    const int count = code.counts[std::size_t(length - 1)];
    table.first_word[length] = word;
    table.first_symbol[length] = symbol;
    if (length <= 8)
      for (int k = 0; k < count; ++k)
        for (int rest = 0; rest < 1 << (8 - length); ++rest)
          table.by_byte[(word + k) << (8 - length) | rest] =
              std::uint16_t(length << 8 | code.symbols[std::size_t(symbol + k)]);
    word += count;
    symbol += count;
    table.above[length] = word << (16 - length);
  }
  return table;
}

/// All codes of a file: DC 0 and 1, AC 0 and 1.
struct reading_tables {
  reading_table dc[2], ac[2];
};

/// Bits of an interval, without the zeros behind 0xFF.
class bit_reader {
 public:
  __device__ bit_reader(const std::uint8_t* next, const std::uint8_t* end) : next_(next), end_(end) {}

  /// The next 16 bits; zeros where the interval has ended. They stay.
  __device__ unsigned look() {
    while (count_ < 16) {
      unsigned byte = 0;
      if (next_ < end_) {
        byte = *next_++;
        if (byte == 0xFF) ++next_;  // its zero
      } else {
        missing_ += 8;
      }
      bits_ = bits_ << 8 | byte;
      count_ += 8;
    }
    return bits_ >> (count_ - 16) & 0xffffu;
  }
  __device__ void skip(int count) { count_ -= count; }
  __device__ unsigned take(int count) {
    const unsigned bits = look() >> (16 - count);
    skip(count);
    return bits;
  }
  /// Everything was there, and less than a byte is left.
  __device__ bool is_at_end() const { return next_ >= end_ && count_ >= missing_ && count_ - missing_ < 8; }

 private:
  const std::uint8_t *next_, *end_;
  unsigned bits_ = 0;
  int count_ = 0, missing_ = 0;  // bits that are kept; bits that were made up
};

/// The next symbol, or -1 where no word fits.
__device__ int read_symbol(bit_reader& in, const reading_table& table) {
  const unsigned bits = in.look();
  if (const unsigned entry = table.by_byte[bits >> 8]; entry != 0) {
    in.skip(int(entry >> 8));
    return int(entry & 255);
  }
  int length = 9;
  while (length <= 16 && int(bits) >= table.above[length]) ++length;
  if (length > 16) return -1;
  in.skip(length);
  return table.symbols[table.first_symbol[length] + int(bits >> (16 - length)) - table.first_word[length]];
}

/// The number of that size: the inverse of extra_bits().
__device__ int read_level(bit_reader& in, int size) {
  if (size == 0) return 0;
  const int bits = int(in.take(size));
  return bits >> (size - 1) != 0 ? bits : bits - (1 << size) + 1;
}

struct level_planes {
  std::int16_t* levels[3];
  std::int64_t pitch[3];
};

struct decode_plan {
  scan_layout layout;
  int dc_of[3], ac_of[3];
  level_planes planes;
  std::uint8_t path[64];
};

// [decode]
/// The levels of an interval, which are zeros before; one thread for each.
__global__ void decode_intervals_kernel(const std::uint8_t* scan, const int* begins,
                                        const reading_tables* tables,
                                        const __grid_constant__ decode_plan plan, unsigned* damaged) {
  const int interval = blockIdx.x * blockDim.x + threadIdx.x;
  const scan_layout& layout = plan.layout;
  if (interval >= layout.intervals()) return;
  bit_reader in(scan + begins[interval], scan + begins[interval + 1] - 2);  // up to the marker behind it
  int dc[3] = {0, 0, 0};
  const int first = interval * layout.blocks_in_interval();
  const int end = min(first + layout.blocks_in_interval(), layout.blocks());
  bool good = true;
  for (int block = first; block < end && good; ++block) {
    const scan_block at = layout.at(block);
    const int c = at.component;
    std::int16_t* const levels = plan.planes.levels[c] + 8 * at.row * plan.planes.pitch[c] + 8 * at.column;
    const int dc_size = read_symbol(in, tables->dc[plan.dc_of[c]]);
    if (dc_size < 0) {
      good = false;
      break;
    }
    dc[c] += read_level(in, dc_size);
    good = dc[c] >= -1024 && dc[c] <= 1023;
    if (at.is_real) levels[0] = std::int16_t(dc[c]);
    for (int k = 1; k < 64 && good; ++k) {
      const int symbol = read_symbol(in, tables->ac[plan.ac_of[c]]);
      if (symbol == 0) break;
      k += symbol < 0 ? 0 : symbol >> 4;
      good = symbol >= 0 && k < 64 && (symbol % 16 != 0 || symbol == 0xF0);
      if (!good || symbol == 0xF0) continue;
      const int level = read_level(in, symbol % 16), place = plan.path[k];
      if (at.is_real) levels[place / 8 * plan.planes.pitch[c] + place % 8] = std::int16_t(level);
    }
  }
  if (!good || !in.is_at_end()) atomicMin(damaged, unsigned(interval));
}
// [decode]

}  // namespace

jpeg_decoder::jpeg_decoder(const jpeg_head& head)
    : head_(head), tables_(sizeof(reading_tables)), damaged_(1) {
  if (head.layout.restart_interval == 0)
    throw jpeg_refused(
        "the file has no restart markers, so that its blocks can be found only one after the other");
  begins_ = device_buffer<int>(std::size_t(head.layout.intervals()) + 1);
  reading_tables tables{};
  for (int i = 0; i < 2; ++i) {
    tables.dc[i] = reading_table_of(head.dc[i]);
    tables.ac[i] = reading_table_of(head.ac[i]);
  }
  check(cudaMemcpy(tables_.data(), &tables, sizeof tables, cudaMemcpyHostToDevice));
  for (int c = 0; c < head.picture.channels; ++c) {
    const bool halves = c > 0 && head.picture.sampling == chroma_sampling::s420;
    const int width = halves ? half_as_many(head.picture.width) : head.picture.width;
    const int height = halves ? half_as_many(head.picture.height) : head.picture.height;
    levels_[c] = device_plane<std::int16_t>(padded(width), padded(height));
    samples_[c] = device_plane<std::uint8_t>(width, height);
  }
}

void jpeg_decoder::decode(device_span<const std::uint8_t> scan) {
  if (scan.size() < 2 || scan.size() > std::size_t(std::numeric_limits<int>::max()) - 4096)
    throw jpeg_refused("the coded levels have " + std::to_string(scan.size()) + " bytes");
  const int size = int(scan.size()), pieces = ceil_div(size, bytes_per_thread),
            intervals = head_.layout.intervals();
  const unsigned grid = unsigned(ceil_div(pieces, threads_per_block));
  device_buffer<int> markers(std::size_t(pieces) + 1);
  check(cudaMemset(markers.data() + pieces, 0, sizeof(int)));
  check(cudaMemset(damaged_.data(), 0xFF, sizeof(unsigned)));
  count_markers_kernel<<<grid, threads_per_block>>>(scan.data(), size, markers.data());
  check(cudaGetLastError());
  thrust::exclusive_scan(thrust::device, markers.data(), markers.data() + pieces + 1, markers.data());
  int found = 0;
  check(cudaMemcpy(&found, markers.data() + pieces, sizeof found, cudaMemcpyDeviceToHost));
  if (found != intervals)  // one behind each, and the end of the image
    throw jpeg_refused("the file is damaged: it has " + std::to_string(found) + " markers where " +
                       std::to_string(intervals) + " are due");
  find_intervals_kernel<<<grid, threads_per_block>>>(scan.data(), size, markers.data(), intervals + 1,
                                                     begins_.data(), damaged_.data());
  check(cudaGetLastError());

  decode_plan plan{head_.layout, {}, {}, {}, {}};
  std::copy(zigzag_order().begin(), zigzag_order().end(), plan.path);
  for (int c = 0; c < head_.picture.channels; ++c) {
    plan.dc_of[c] = head_.dc_of[c];
    plan.ac_of[c] = head_.ac_of[c];
    plan.planes.levels[c] = levels_[c].span().data();
    plan.planes.pitch[c] = std::int64_t(levels_[c].pitch() / sizeof(std::int16_t));
    check(cudaMemset(levels_[c].span().data(), 0, levels_[c].pitch() * std::size_t(levels_[c].height())));
  }
  decode_intervals_kernel<<<unsigned(ceil_div(intervals, threads_per_block)), threads_per_block>>>(
      scan.data(), begins_.data(), reinterpret_cast<const reading_tables*>(tables_.data()), plan,
      damaged_.data());
  check(cudaGetLastError());
  const unsigned damaged = damaged_.to_host()[0];
  if (damaged != ~0u) throw jpeg_refused("the file is damaged in interval " + std::to_string(damaged));
  for (int c = 0; c < head_.picture.channels; ++c)
    decode_fused(levels_[c], head_.picture.steps[c], samples_[c]);
}

}  // namespace tutorial

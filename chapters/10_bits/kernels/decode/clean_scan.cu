// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// A restart marker can be found by itself: no coded byte 0xFF is followed by anything but 0, and 0xFF in
// front of another one is no coded byte. Which interval begins behind a marker depends on all markers before
// it, and where a byte goes on all bytes that were left out before it: tiles of bytes look back at each
// other, for both.
#include "10_bits/kernels/encode/look_back.cuh"
#include "10_bits/kernels/encode/tile_code.cuh"
#include "clean_scan.hpp"
#include "common/device/ceil_div.hpp"
#include "common/device/check.hpp"

namespace tutorial {
namespace {

constexpr int threads_per_tile = blocks_in_tile;  // sum_before() adds up over so many
constexpr int words_per_thread = 2, bytes_per_thread = 16 * words_per_thread;
constexpr int bytes_per_tile = threads_per_tile * bytes_per_thread;

/// How far its address is behind a multiple of 16.
__host__ __device__ int bytes_before(const std::uint8_t* scan) {
  return int(reinterpret_cast<std::uintptr_t>(scan) % 16);
}

/// The 16 bytes from scan[at] on, whose address is a multiple of 16. Those outside of the scan are 0, and are
/// not read.
__device__ uint4 word_of_scan(const std::uint8_t* scan, int size, int at) {
  if (at >= 0 && at + 16 <= size) return *reinterpret_cast<const uint4*>(scan + at);
  unsigned parts[4] = {0, 0, 0, 0};
#pragma unroll
  for (int i = 0; i < 16; ++i)
    if (at + i >= 0 && at + i < size) parts[i / 4] |= unsigned(scan[at + i]) << (8 * (i % 4));
  return make_uint4(parts[0], parts[1], parts[2], parts[3]);
}

/// Whether a byte behind 0xFF makes it a marker: of an interval that begins, or of the end of the image.
__device__ bool is_second(unsigned byte) { return (byte >= 0xD0 && byte <= 0xD7) || byte == 0xD9; }

/// Whether a byte behind 0xFF is left out: the 0 that was stuffed, or the second byte of a marker.
__device__ bool is_dropped(unsigned byte) { return byte == 0 || is_second(byte); }

/// Bit i is of byte i of a thread.
using byte_mask = unsigned;

/// Of the four bytes of a word, the first one lowest: those that are 0xFF.
__device__ unsigned ff_bytes(unsigned word) {
  return (__vcmpeq4(word, 0xffffffffu) & 0x08040201u) * 0x01010101u >> 24;
}

/// That of the bytes at <= i < end, of those from 0 to 32.
__device__ byte_mask mask_between(int at, int end) {
  const byte_mask below_end = end >= 32 ? ~byte_mask{0} : end <= 0 ? 0 : (byte_mask{1} << end) - 1;
  return at <= 0 ? below_end : at >= 32 ? 0 : below_end & ~((byte_mask{1} << at) - 1);
}

/// Byte i of a tile's shared memory. Four bytes more for every 128: so that bytes of neighboring threads are
/// in different banks.
__device__ int shared_place(int i) { return i + i / 128 * 4; }

// [clean]
/// clean = the bytes that are left; begins[m + 1] = how many there are before marker m.
__global__ void __launch_bounds__(threads_per_tile)
    clean_scan_kernel(const std::uint8_t* scan, int size, const __grid_constant__ tile_board board,
                      int intervals, std::uint8_t* clean, int* begins, scan_findings* findings) {
  __shared__ tile_ticket ticket;
  __shared__ int warp_sums[threads_per_tile / 32];
  __shared__ std::uint64_t before[2];
  __shared__ std::uint8_t kept[bytes_per_tile + bytes_per_tile / 32];
  const int t = threadIdx.x;
  if (t == 0) ticket = draw_ticket(board, int(gridDim.x));
  __syncthreads();  // all know the number
  const int tile = ticket.tile;
  // Words begin at addresses that are multiples of 16.
  const int first = tile * bytes_per_tile + t * bytes_per_thread - bytes_before(scan);
  uint4 words[words_per_thread];
  byte_mask ff = 0;
#pragma unroll
  for (int w = 0; w < words_per_thread; ++w) {
    words[w] = word_of_scan(scan, size, first + 16 * w);
    const unsigned low = ff_bytes(words[w].x) | ff_bytes(words[w].y) << 4,
                   high = ff_bytes(words[w].z) | ff_bytes(words[w].w) << 4;
    ff |= (low | high << 8) << (16 * w);
  }
  // Few bytes are 0xFF. What does the one behind say?
  const auto byte_at = [&](int at) { return at < size ? scan[at] : 0; };
  byte_mask markers = 0, left = mask_between(-first, size - first);
  if (first > 0 && first < size && scan[first - 1] == 0xFF && is_dropped(scan[first])) left &= ~byte_mask{1};
  for (byte_mask ones = ff; ones != 0; ones &= ones - 1) {
    const int i = __ffs(int(ones)) - 1;
    const unsigned behind = byte_at(first + i + 1);
    if (is_second(behind)) markers |= byte_mask{1} << i;
    if (behind == 0xFF || is_second(behind)) left &= ~(byte_mask{1} << i);
    if (is_dropped(behind)) left &= ~(byte_mask{2} << i);
  }

  // Two sums in one: there are fewer than 2^16 bytes.
  int both = 0;
  const int both_before = sum_before(__popc(left) | __popc(markers) << 16, both, warp_sums);
  const int left_of_tile = both & 0xffff;
  if (t < 64) {  // the first warp for bytes, the second for markers
    const int which = t / 32;
    const std::uint64_t own = std::uint64_t(which == 0 ? left_of_tile : both >> 16);
    const std::uint64_t sum = sum_of_tiles_before({board.words[which], ticket.call}, 0, tile, own).sum;
    if (t % 32 == 0) before[which] = sum;
  }
  int to = both_before & 0xffff;
#pragma unroll
  for (int i = 0; i < bytes_per_thread; ++i) {
    const uint4& word = words[i / 16];
    const unsigned part = i / 4 % 4 == 0   ? word.x
                          : i / 4 % 4 == 1 ? word.y
                          : i / 4 % 4 == 2 ? word.z
                                           : word.w;
    if ((left >> i & 1) != 0) kept[shared_place(to++)] = std::uint8_t(part >> (8 * (i % 4)));
  }
  __syncthreads();  // all know the sums of the tiles before, and what is left is there
  for (int i = t; i < left_of_tile; i += threads_per_tile) clean[before[0] + i] = kept[shared_place(i)];
  // [clean]

  const int begin = int(before[0]) + (both_before & 0xffff);
  int marker = int(before[1]) + (both_before >> 16);
  for (byte_mask ones = ff; ones != 0; ones &= ones - 1) {
    const int i = __ffs(int(ones)) - 1;
    if (marker >= intervals) break;  // there are too many
    if ((markers >> i & 1) == 0) {
      const int behind = byte_at(first + i + 1);
      if (behind != 0 && behind != 0xFF) atomicMin(&findings->damaged, unsigned(marker));  // what is it?
      continue;
    }
    begins[marker + 1] = begin + __popc(left & ((byte_mask{1} << i) - 1));
    const int due = marker == intervals - 1 ? 0xD9 : 0xD0 + marker % 8;  // the end of the image is the last
    if (scan[first + i + 1] != due) atomicMin(&findings->damaged, unsigned(marker));
    ++marker;
  }
  if (tile == 0 && t == 0) begins[0] = 0;
  if (tile != int(gridDim.x) - 1) return;
  if (t == 0) findings->markers = int(before[1]) + (both >> 16);
  for (int i = t; i < scan_cleaner::zeros_behind; i += threads_per_tile)
    clean[before[0] + std::uint64_t(left_of_tile) + unsigned(i)] = 0;
}

}  // namespace

void scan_cleaner::reserve(std::size_t bytes) {
  const int tiles = ceil_div(int(bytes) + 15, bytes_per_tile);  // wherever it begins
  if (tiles > board_.members()) board_ = tile_board_memory(tiles);
  const std::size_t words = bytes / 4 + 1 + zeros_behind / 4;
  if (words > words_.size()) words_ = device_buffer<std::uint32_t>(words);
}

void scan_cleaner::clean(device_span<const std::uint8_t> scan, int intervals, int* begins,
                         scan_findings* findings, cudaStream_t stream) {
  const int size = int(scan.size()), tiles = ceil_div(size + bytes_before(scan.data()), bytes_per_tile);
  reserve(scan.size());
  clean_scan_kernel<<<unsigned(tiles), threads_per_tile, 0, stream>>>(
      scan.data(), size, board_.next_call(stream), intervals, reinterpret_cast<std::uint8_t*>(words_.data()),
      begins, findings);
  check(cudaGetLastError());
  board_.was_launched();
}

}  // namespace tutorial

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// A restart marker can be found by itself: no coded byte 0xFF is followed by anything but 0. Which interval
/// begins behind it depends on all markers before it, and where a byte goes on all bytes that were left out
/// before it: tiles of bytes look back at each other, for both.
#include "clean_scan.hpp"
#include "common/device/ceil_div.hpp"
#include "common/device/check.hpp"
#include "look_back.cuh"
#include "tile_code.cuh"

namespace tutorial {
namespace {

constexpr int threads_per_tile = blocks_in_tile;  // sum_before() adds up over so many
constexpr int words_per_thread = 4, bytes_per_thread = 16 * words_per_thread;
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

/// Bit i is of byte i of a thread.
using byte_mask = unsigned long long;
struct byte_masks {
  byte_mask ff = 0, zero = 0, second = 0;  ///< 0xFF; 0; what may be the second byte of a marker.
};

/// That of the bytes at <= i < end, of those from 0 to 64.
__device__ byte_mask mask_between(int at, int end) {
  const byte_mask below_end = end >= 64 ? ~byte_mask{0} : end <= 0 ? 0 : (byte_mask{1} << end) - 1;
  return at <= 0 ? below_end : at >= 64 ? 0 : below_end & ~((byte_mask{1} << at) - 1);
}

/// Byte i of a tile's shared memory. Four bytes more for every 128: so that bytes of neighboring threads are
/// in different banks.
__device__ int shared_place(int i) { return i + i / 128 * 4; }

// [clean]
/// clean = the bytes that are left; begins[m + 1] = how many there are before marker m.
__global__ void __launch_bounds__(threads_per_tile)
    clean_scan_kernel(const std::uint8_t* scan, int size, const __grid_constant__ tile_board markers_board,
                      const __grid_constant__ tile_board bytes_board, int intervals, std::uint8_t* clean,
                      int* begins, scan_findings* findings) {
  __shared__ int number, warp_sums[threads_per_tile / 32];
  __shared__ std::uint64_t before[2];
  __shared__ std::uint8_t kept[bytes_per_tile + bytes_per_tile / 32];
  const int t = threadIdx.x;
  if (t == 0) number = int(atomicAdd(bytes_board.next, 1u) - bytes_board.first_ticket);
  __syncthreads();  // all know the number
  const int tile = number;
  // Words begin at addresses that are multiples of 16.
  const int first = tile * bytes_per_tile + t * bytes_per_thread - bytes_before(scan);
  uint4 words[words_per_thread];
  byte_masks masks;
#pragma unroll
  for (int w = 0; w < words_per_thread; ++w) {
    words[w] = word_of_scan(scan, size, first + 16 * w);
    const unsigned parts[4] = {words[w].x, words[w].y, words[w].z, words[w].w};
#pragma unroll
    for (int i = 0; i < 16; ++i) {
      const unsigned byte = parts[i / 4] >> (8 * (i % 4)) & 255;
      masks.ff |= byte_mask{byte == 0xFF} << (16 * w + i);
      masks.zero |= byte_mask{byte == 0} << (16 * w + i);
      masks.second |= byte_mask{is_second(byte)} << (16 * w + i);
    }
  }
  // The byte before is another thread's, and so is the one behind.
  const int next = first + bytes_per_thread;
  const unsigned byte_behind = next < size ? scan[next] : 0;
  const byte_mask behind_ff =
      masks.ff << 1 | byte_mask{first > 0 && first - 1 < size && scan[first - 1] == 0xFF};
  const byte_mask markers = masks.ff & (masks.second >> 1 | byte_mask{is_second(byte_behind)} << 63);
  const byte_mask stuffed = masks.ff & (masks.zero >> 1 | byte_mask{byte_behind == 0} << 63);
  const byte_mask left =
      mask_between(-first, size - first) & ~(markers | (behind_ff & (masks.zero | masks.second)));

  // Two sums in one: there are fewer than 2^16 bytes.
  int both = 0;
  const int both_before = sum_before(__popcll(left) | __popcll(markers) << 16, both, warp_sums);
  const int left_of_tile = both & 0xffff;
  if (t < 64) {  // the first warp for bytes, the second for markers
    const int which = t / 32;
    const tile_board& board = which == 0 ? bytes_board : markers_board;
    const std::uint64_t own = std::uint64_t(which == 0 ? left_of_tile : both >> 16);
    if (t % 32 == 0)
      publish(board.words, tile, tile_word_of(board.call, tile == 0 ? tile_sum::all : tile_sum::own, 0, own));
    std::uint64_t sum = 0;
    if (tile > 0) {
      sum = look_back(board.words, 0, tile, board.call).sum;
      if (t % 32 == 0) publish(board.words, tile, tile_word_of(board.call, tile_sum::all, 0, sum + own));
    }
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
  for (byte_mask ones = markers | (masks.ff & ~stuffed); ones != 0; ones &= ones - 1) {
    const int i = __ffsll(static_cast<long long>(ones)) - 1;
    if (marker >= intervals) break;  // there are too many
    if ((markers >> i & 1) == 0) {   // 0xFF with something else behind it
      atomicMin(&findings->damaged, unsigned(marker));
      continue;
    }
    begins[marker + 1] = begin + __popcll(left & ((byte_mask{1} << i) - 1));
    const int due = marker == intervals - 1 ? 0xD9 : 0xD0 + marker % 8;  // the end of the image is the last
    if (scan[first + i + 1] != due) atomicMin(&findings->damaged, unsigned(marker));
    ++marker;
  }
  if (tile == 0 && t == 0) begins[0] = 0;
  if (tile != int(gridDim.x) - 1) return;
  if (t == 0) findings->markers = int(before[1]) + (both >> 16);
  if (t < scan_cleaner::zeros_behind) clean[before[0] + std::uint64_t(left_of_tile) + unsigned(t)] = 0;
}

}  // namespace

void scan_cleaner::clean(device_span<const std::uint8_t> scan, int intervals, int* begins,
                         scan_findings* findings) {
  const int size = int(scan.size()), tiles = ceil_div(size + bytes_before(scan.data()), bytes_per_tile);
  if (tiles > bytes_.members()) {
    markers_ = tile_board_memory(tiles);
    bytes_ = tile_board_memory(tiles);
  }
  const std::size_t words = scan.size() / 4 + 1 + zeros_behind / 4;
  if (words > words_.size()) words_ = device_buffer<std::uint32_t>(words);
  clean_scan_kernel<<<unsigned(tiles), threads_per_tile>>>(
      scan.data(), size, markers_.next_call(0), bytes_.next_call(tiles), intervals,
      reinterpret_cast<std::uint8_t*>(words_.data()), begins, findings);
  check(cudaGetLastError());
}

}  // namespace tutorial

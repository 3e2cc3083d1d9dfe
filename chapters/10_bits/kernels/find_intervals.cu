// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// A restart marker can be found by itself: no coded byte 0xFF is followed by anything but 0. Which interval
/// begins behind it depends on all markers before it: tiles of bytes look back at each other.
#include "common/device/ceil_div.hpp"
#include "common/device/check.hpp"
#include "find_intervals.hpp"
#include "look_back.cuh"
#include "scan_words.cuh"
#include "tile_code.cuh"

namespace tutorial {
namespace {

constexpr int threads_per_tile = blocks_in_tile;  // sum_before() adds up over so many
constexpr int words_per_thread = 4, bytes_per_thread = 16 * words_per_thread;
constexpr int bytes_per_tile = threads_per_tile * bytes_per_thread;

/// Whether a byte behind 0xFF makes it a marker: of an interval that begins, or of the end of the image.
__device__ bool is_second(unsigned byte) { return (byte >= 0xD0 && byte <= 0xD7) || byte == 0xD9; }

/// Bit i: byte i of a word of 16 is 0xFF; and: it may be the second one of a marker.
struct byte_masks {
  unsigned ff, second;
};
__device__ byte_masks masks_of(const uint4& word) {
  const unsigned parts[4] = {word.x, word.y, word.z, word.w};
  byte_masks masks{0, 0};
#pragma unroll
  for (int i = 0; i < 16; ++i) {
    const unsigned byte = parts[i / 4] >> (8 * (i % 4)) & 255;
    masks.ff |= unsigned(byte == 0xFF) << i;
    masks.second |= unsigned(is_second(byte)) << i;
  }
  return masks;
}

/// begins[m + 1] = the byte behind marker m, where m = markers in all tiles before + in all threads before.
__global__ void __launch_bounds__(threads_per_tile)
    find_intervals_kernel(const std::uint8_t* scan, int size, const __grid_constant__ tile_board board,
                          int intervals, int* begins, scan_findings* findings) {
  __shared__ int number, warp_sums[threads_per_tile / 32];
  __shared__ std::uint64_t shared_sum;
  const int t = threadIdx.x;
  if (t == 0) number = int(atomicAdd(board.next, 1u) - board.first_ticket);
  __syncthreads();  // all know the number
  const int tile = number;
  // Bit i of markers: one begins at scan[first + i]. Words begin at addresses that are multiples of 16.
  const int first = tile * bytes_per_tile + t * bytes_per_thread - bytes_before(scan);
  std::uint64_t ff = 0, second = 0;
#pragma unroll
  for (int w = 0; w < words_per_thread; ++w) {
    const byte_masks masks = masks_of(word_of_scan(scan, size, first + 16 * w));
    ff |= std::uint64_t{masks.ff} << (16 * w);
    second |= std::uint64_t{masks.second} << (16 * w);
  }
  const int next = first + bytes_per_thread;  // the last one's second byte is the next thread's
  const std::uint64_t next_second = next < size && is_second(scan[next]);
  const std::uint64_t markers = ff & (second >> 1 | next_second << 63);

  int own = 0;
  const int before_mine = sum_before(__popcll(markers), own, warp_sums);
  if (t < 32) {
    if (t == 0)
      publish(board.words, tile,
              tile_word_of(board.call, tile == 0 ? tile_sum::all : tile_sum::own, 0, std::uint64_t(own)));
    std::uint64_t before = 0;
    if (tile > 0) {
      before = look_back(board.words, 0, tile, board.call).sum;
      if (t == 0)
        publish(board.words, tile, tile_word_of(board.call, tile_sum::all, 0, before + std::uint64_t(own)));
    }
    if (t == 0) shared_sum = before;
  }
  __syncthreads();  // all know how many there are in the tiles before
  int marker = int(shared_sum) + before_mine;
  for (std::uint64_t left = markers; left != 0; left &= left - 1, ++marker) {
    const int at = first + __ffsll(static_cast<long long>(left)) - 1;
    if (marker >= intervals) break;  // there are too many
    begins[marker + 1] = at + 2;
    const int due = marker == intervals - 1 ? 0xD9 : 0xD0 + marker % 8;  // the end of the image is the last
    if (scan[at + 1] != due) atomicMin(&findings->damaged, unsigned(marker));
  }
  if (t != 0) return;
  if (tile == 0) begins[0] = 0;
  if (tile == int(gridDim.x) - 1) findings->markers = int(shared_sum) + own;
}

}  // namespace

void interval_finder::find(device_span<const std::uint8_t> scan, int intervals, int* begins,
                           scan_findings* findings) {
  const int size = int(scan.size()), tiles = ceil_div(size + bytes_before(scan.data()), bytes_per_tile);
  if (tiles > board_.members()) board_ = tile_board_memory(tiles);
  find_intervals_kernel<<<unsigned(tiles), threads_per_tile>>>(scan.data(), size, board_.next_call(tiles),
                                                               intervals, begins, findings);
  check(cudaGetLastError());
}

}  // namespace tutorial

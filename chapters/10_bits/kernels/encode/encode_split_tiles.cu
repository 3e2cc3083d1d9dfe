// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// Two kernels. In the first no tile waits for another one; the second has little to do, and few blocks that
/// look back.
#include <cstddef>

#include "coding_tables.hpp"
#include "common/device/check.hpp"
#include "encode_split_tiles.hpp"
#include "encode_tiles.hpp"
#include "look_back.cuh"
#include "tile_bytes.cuh"
#include "tile_code.cuh"

namespace tutorial {
namespace {

constexpr int tiles_in_join = 16, threads_in_join = 32 * tiles_in_join;  // a warp for each tile

// [tiles]
/// places[most_words_of_tile * tile ...] = the tile's bits, counts[tile] = how many.
__global__ void __launch_bounds__(blocks_in_tile, 7)
    tile_bits_kernel(const __grid_constant__ tile_input in, const __grid_constant__ tile_layout layout,
                     int first_tile, const device_coding* coding, std::uint32_t* places, int* counts) {
  __shared__ tile_memory memory;
  const int tile = first_tile + int(blockIdx.x);
  std::uint32_t* const place = places + std::size_t(tile) * most_words_of_tile;
  const tile_bits bits = make_tile_bits(in, layout.scan, layout.at(tile), coding, memory, place);
  if (bits.words != place)  // else they have been put together there
    for (int j = threadIdx.x; j < (bits.count + 31) / 32; j += blocks_in_tile) place[j] = bits.words[j];
  if (threadIdx.x == 0) counts[tile] = bits.count;
}
// [tiles]

/// The sum of counts[first .. tile - 1], by the whole block.
__device__ std::uint64_t bits_before(const int* counts, int first, int tile, std::uint64_t* warp_sums) {
  std::uint64_t sum = 0;
  for (int i = first + int(threadIdx.x); i < tile; i += threads_in_join) sum += std::uint64_t(counts[i]);
  for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(~0u, sum, distance);
  if (threadIdx.x % 32 == 0) warp_sums[threadIdx.x / 32] = sum;
  __syncthreads();  // the sums of all warps are there
  sum = 0;
  for (int i = 0; i < tiles_in_join; ++i) sum += warp_sums[i];
  return sum;
}

/// The sum over the warp, for all of its lanes.
__device__ int sum_of_lanes(int value) {
  for (int distance = 16; distance > 0; distance /= 2) value += __shfl_xor_sync(~0u, value, distance);
  return value;
}

// [join]
/// file = header, then the bytes of 16 tiles for each block of threads; a warp takes one of them.
__global__ void __launch_bounds__(threads_in_join)
    join_tiles_kernel(const std::uint32_t* places, const int* counts,
                      const __grid_constant__ tile_layout layout, const device_coding* coding,
                      const __grid_constant__ tile_board board, std::uint8_t* file, std::uint64_t room,
                      std::uint64_t* file_size) {
  __shared__ std::uint64_t warp_sums[tiles_in_join], begins[tiles_in_join];
  __shared__ int number, sizes[tiles_in_join];
  const int t = threadIdx.x, lane = t % 32, warp = t / 32, header_size = coding->header_size;
  if (t == 0) number = int(atomicAdd(board.next, 1u) - board.first_ticket);
  __syncthreads();  // all know the number
  const int first_tile = number * tiles_in_join, tile = first_tile + warp;
  if (number == 0)
    for (int i = t; i < header_size && std::uint64_t(i) < room; i += threads_in_join)
      file[i] = coding->header[i];
  const std::uint64_t before =
      bits_before(counts, layout.first_of(layout.at(first_tile).interval), first_tile, warp_sums);

  const bool is_there = tile < layout.tiles;
  const scan_tile at = layout.at(is_there ? tile : first_tile);
  tile_bytes bytes{};
  int zeros = 0;
  if (is_there) {
    const int first = layout.first_of(at.interval), near = first_tile + lane;  // one of those before, a lane
    const int own = near >= first && near < tile ? counts[near] : 0;
    const std::uint64_t bits = (first < first_tile ? before : 0) + std::uint64_t(sum_of_lanes(own));
    const std::uint32_t* const place = places + std::size_t(tile) * most_words_of_tile;
    const unsigned tail = at.begins ? 0 : last_bits({place - most_words_of_tile, counts[tile - 1]});
    bytes = {{place, counts[tile]}, int(bits % 8), tail, at.ends};
    for (int j = lane; 4 * j < bytes.size(); j += 32) zeros += bytes_ff(bytes.word(j));
    zeros = sum_of_lanes(zeros);
  }
  if (lane == 0) sizes[warp] = is_there ? bytes.size() + zeros + (at.ends ? 2 : 0) : 0;
  __syncthreads();  // the sizes of all tiles are there
  if (warp == 0) {
    const int own = lane < tiles_in_join ? sizes[lane] : 0, before_own = sum_of_lanes_before(own);
    const std::uint64_t all = std::uint64_t(__shfl_sync(~0u, before_own + own, 31));
    const std::uint64_t sum = sum_of_tiles_before(board, 0, number, all).sum;
    if (lane < tiles_in_join) begins[lane] = std::uint64_t(header_size + before_own) + sum;
  }
  __syncthreads();  // all know where their tile begins in the file

  if (!is_there) return;
  const std::uint64_t begin = begins[warp];
  int zeros_before = 0;  // in the words of the rounds before
  const int words = (bytes.size() + 3) / 4;
  for (int round = 0; round < words; round += 32) {
    const int j = round + lane;
    const int mine = j < words ? bytes_ff(bytes.word(j)) : 0;
    const int moved = zeros_before + sum_of_lanes_before(mine);
    zeros_before = __shfl_sync(~0u, moved + mine, 31);
    if (j < words) write_stuffed(bytes, {j, j + 1}, begin + std::uint64_t(4 * j + moved), file, room);
  }
  if (lane != 0 || !at.ends) return;
  const std::uint64_t end = begin + std::uint64_t(bytes.size() + zeros);
  const bool is_last = tile == layout.tiles - 1;
  if (end + 1 < room) {
    file[end] = 0xFF;
    file[end + 1] = std::uint8_t(is_last ? int(jpeg_marker::end_of_image)
                                         : int(jpeg_marker::restart_0) + at.interval % 8);
  }
  if (is_last) *file_size = end + 2;
}
// [join]

}  // namespace

split_encoder::split_encoder(const jpeg_description& picture, const jpeg_coding& coding)
    : tile_encoder(picture, coding),
      places_(std::size_t(layout().tiles) * most_words_of_tile),
      counts_(std::size_t(layout().tiles)),
      joins_(ceil_div(layout().tiles, tiles_in_join)),
      board_(joins_) {}

void split_encoder::code_tiles(const tile_input& in, int first, int end) {
  if (first == end) return;
  tile_bits_kernel<<<unsigned(end - first), blocks_in_tile>>>(in, layout(), first, coding(), places_.data(),
                                                              counts_.data());
  check(cudaGetLastError());
}

void split_encoder::join_tiles(device_span<std::uint8_t> file, std::uint64_t* size) {
  join_tiles_kernel<<<unsigned(joins_), threads_in_join>>>(
      places_.data(), counts_.data(), layout(), coding(), board_.next_call(), file.data(), file.size(), size);
  check(cudaGetLastError());
}

void split_encoder::launch(const tile_input& in, device_span<std::uint8_t> file, std::uint64_t* size) {
  code_tiles(in, 0, layout().tiles);
  join_tiles(file, size);
}

std::unique_ptr<jpeg_encoder> make_split_encoder(const jpeg_description& picture, const jpeg_coding& coding) {
  return std::make_unique<split_encoder>(picture, coding);
}

}  // namespace tutorial

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Two kernels. In the first no tile waits for another one; the second has little to do, and few blocks that
// look back.
#include <algorithm>
#include <cstddef>

#include "10_bits/host/coding_tables.hpp"
#include "common/device/check.hpp"
#include "common/device/early_start.cuh"
#include "encode_split_tiles.hpp"
#include "encode_tiles.hpp"
#include "look_back.cuh"
#include "tile_bytes.cuh"
#include "tile_code.cuh"

namespace tutorial {
namespace {

constexpr int tiles_in_join = 16, threads_in_join = 32 * tiles_in_join;  // a warp for each tile
static_assert(32 * most_words_of_tile < 1 << 24, "tile_end holds the number of a tile's bits");

// [tiles]
/// The words of place tile % places_count = the tile's bits, ends[tile] = how many, and the last of them.
__global__ void __launch_bounds__(blocks_in_tile, 7)
    tile_bits_kernel(const __grid_constant__ tile_input in, const __grid_constant__ tile_layout layout,
                     int first_tile, const device_coding* coding, std::uint32_t* places, int places_count,
                     tile_end* ends) {
  __shared__ tile_memory memory;
  const int tile = first_tile + int(blockIdx.x);
  std::uint32_t* const place = places + std::size_t(tile % places_count) * most_words_of_tile;
  const tile_bits bits = make_tile_bits(in, layout.scan, layout.at(tile), coding, memory, place);
  let_the_next_begin();
  if (bits.words != place)  // else they have been put together there
    for (int j = threadIdx.x; j < (bits.count + 31) / 32; j += blocks_in_tile) place[j] = bits.words[j];
  if (threadIdx.x == 0) ends[tile] = {unsigned(bits.count) | last_bits(bits) << 24};
}
// [tiles]

/// The sum over the warp, for all of its lanes.
__device__ int sum_of_lanes(int value) {
  for (int distance = 16; distance > 0; distance /= 2) value += __shfl_xor_sync(~0u, value, distance);
  return value;
}

/// The bits that lie before the 16 tiles of block `number`, in the interval of the first of them; by a whole
/// warp. ends[i] is of the block's tile i, and 0 behind the last one.
__device__ std::uint64_t bits_before(const tile_layout& layout, const tile_sums& sums, int number,
                                     const tile_end* ends) {
  const int first_tile = number * tiles_in_join, lane = threadIdx.x % 32;
  const scan_tile first = layout.at(first_tile);
  const int last_tile = min(first_tile + tiles_in_join, layout.tiles) - 1;
  // Blocks behind this one ask for the interval that its last tile is in.
  const int begin = layout.first_of(layout.at(last_tile).interval);
  const bool is_counted = lane < tiles_in_join && first_tile + lane >= begin;
  const std::uint64_t own = std::uint64_t(sum_of_lanes(is_counted ? ends[lane].count() : 0));
  tell(sums, number, begin >= first_tile ? tile_sum::all : tile_sum::own, own);
  if (first.begins) return 0;
  const int first_block = layout.first_of(first.interval) / tiles_in_join;
  const std::uint64_t before = look_back(sums, first_block, number).sum;
  if (begin < first_tile) tell(sums, number, tile_sum::all, before + own);
  return before;
}

// [join]
/// file = header, then the bytes of 16 tiles for each block of threads; a warp takes one of them.
__global__ void __launch_bounds__(threads_in_join)
    join_tiles_kernel(const std::uint32_t* places, int places_count, const tile_end* all_ends,
                      const __grid_constant__ tile_layout layout, const device_coding* coding,
                      const __grid_constant__ tile_board board, int joins, std::uint8_t* file,
                      std::uint64_t room, std::uint64_t* file_size) {
  __shared__ std::uint64_t before, begins[tiles_in_join];
  __shared__ tile_end ends[tiles_in_join];
  __shared__ tile_ticket ticket;
  __shared__ int sizes[tiles_in_join];
  wait_for_the_one_before();  // it makes the bits
  const int t = threadIdx.x, lane = t % 32, warp = t / 32, header_size = coding->header_size;
  if (t == 0) ticket = draw_ticket(board, joins);
  __syncthreads();  // all know the number
  const int number = ticket.tile;
  const int first_tile = number * tiles_in_join, tile = first_tile + warp;
  if (number == 0)
    for (int i = t; i < header_size && std::uint64_t(i) < room; i += threads_in_join)
      file[i] = coding->header[i];
  if (warp == 0) {
    if (lane < tiles_in_join)
      ends[lane] = first_tile + lane < layout.tiles ? all_ends[first_tile + lane] : tile_end{0};
    __syncwarp();  // they are there
    const std::uint64_t sum = bits_before(layout, {board.words[0], ticket.call}, number, ends);
    if (lane == 0) before = sum;
  }
  __syncthreads();  // all know the ends of the block's tiles, and the bits before them

  const bool is_there = tile < layout.tiles;
  const scan_tile at = layout.at(is_there ? tile : first_tile);
  tile_bytes bytes{};
  int zeros = 0;
  if (is_there) {
    const int first = layout.first_of(at.interval), near = first_tile + lane;  // one of those before, a lane
    const int own = near >= first && near < tile ? ends[lane].count() : 0;
    const std::uint64_t bits = (first < first_tile ? before : 0) + std::uint64_t(sum_of_lanes(own));
    const std::uint32_t* const place = places + std::size_t(tile % places_count) * most_words_of_tile;
    const unsigned tail = at.begins ? 0 : warp > 0 ? ends[warp - 1].tail() : all_ends[tile - 1].tail();
    bytes = {{place, ends[warp].count()}, int(bits % 8), tail, at.ends};
    for (int j = lane; 4 * j < bytes.size(); j += 32) zeros += bytes_ff(bytes.word(j));
    zeros = sum_of_lanes(zeros);
  }
  if (lane == 0) sizes[warp] = is_there ? bytes.size() + zeros + (at.ends ? 2 : 0) : 0;
  __syncthreads();  // the sizes of all tiles are there
  if (warp == 0) {
    const int own = lane < tiles_in_join ? sizes[lane] : 0, before_own = sum_of_lanes_before(own);
    const std::uint64_t all = std::uint64_t(__shfl_sync(~0u, before_own + own, 31));
    const std::uint64_t sum = sum_of_tiles_before({board.words[1], ticket.call}, 0, number, all).sum;
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

split_encoder::split_encoder(const jpeg_description& picture, const jpeg_coding& coding, int tiles_at_once)
    : tile_encoder(picture, coding),
      at_once_(std::min(ceil_div(tiles_at_once, tiles_in_join) * tiles_in_join, layout().tiles)),
      places_(std::size_t(at_once_) * most_words_of_tile),
      ends_(std::size_t(layout().tiles)),
      board_(ceil_div(layout().tiles, tiles_in_join)) {}

void split_encoder::code_tiles(const tile_input& in, int first, int end, device_span<std::uint8_t> file,
                               std::uint64_t* size, cudaStream_t stream) {
  for (int stop = first; first < end; first = stop) {
    if (first == 0)
      board_now_ = board_.next_call(stream);
    else if (first % at_once_ == 0)
      join(first - at_once_, first, file, size, stream);  // which leaves their places to these
    stop = std::min(end, (first / at_once_ + 1) * at_once_);
    const unsigned tiles = unsigned(stop - first);
    if (first == 0 && is_optimized())  // behind the kernel that makes the codes
      launch_early(tile_bits_kernel, tiles, blocks_in_tile, 0, stream, in, layout(), first, coding(),
                   places_.data(), at_once_, ends_.data());
    else
      tile_bits_kernel<<<tiles, blocks_in_tile, 0, stream>>>(in, layout(), first, coding(), places_.data(),
                                                             at_once_, ends_.data());
    check(cudaGetLastError());
  }
}

void split_encoder::join(int first, int end, device_span<std::uint8_t> file, std::uint64_t* size,
                         cudaStream_t stream) {
  launch_early(join_tiles_kernel, unsigned(ceil_div(end - first, tiles_in_join)), threads_in_join, 0, stream,
               places_.data(), at_once_, ends_.data(), layout(), coding(), board_now_, board_.members(),
               file.data(), file.size(), size);
}

void split_encoder::join_tiles(device_span<std::uint8_t> file, std::uint64_t* size, cudaStream_t stream) {
  const int tiles = layout().tiles;
  join((tiles - 1) / at_once_ * at_once_, tiles, file, size, stream);
  board_.was_launched();
}

void split_encoder::launch(const tile_input& in, device_span<std::uint8_t> file, std::uint64_t* size,
                           cudaStream_t stream) {
  code_tiles(in, 0, layout().tiles, file, size, stream);
  join_tiles(file, size, stream);
}

std::unique_ptr<jpeg_encoder> make_split_encoder(const jpeg_description& picture, const jpeg_coding& coding) {
  return std::make_unique<split_encoder>(picture, coding);
}

}  // namespace tutorial

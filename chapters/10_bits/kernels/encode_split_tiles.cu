// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// Two kernels. In the first no tile waits for another one; the second has little to do, and few blocks that
/// look back.
#include <cstddef>

#include "coding_tables.hpp"
#include "common/device/check.hpp"
#include "encode_tiles.hpp"
#include "look_back.cuh"
#include "tile_bytes.cuh"
#include "tile_code.cuh"
#include "tile_encoder.hpp"

namespace tutorial {
namespace {

constexpr int tiles_in_join = 32, warps_in_join = 16, threads_in_join = 32 * warps_in_join;

// [tiles]
/// places[most_words_of_tile * tile ...] = the tile's bits, counts[tile] = how many.
__global__ void __launch_bounds__(blocks_in_tile, 7)
    tile_bits_kernel(const __grid_constant__ tile_input in, const __grid_constant__ tile_layout layout,
                     const device_coding* coding, std::uint32_t* places, int* counts) {
  __shared__ tile_memory memory;
  const int tile = blockIdx.x;
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
  for (int i = 0; i < warps_in_join; ++i) sum += warp_sums[i];
  return sum;
}

/// The sum over the lanes before this one.
__device__ int lanes_before(int value) {
  const int lane = threadIdx.x % 32;
  int sum = value;
  for (int distance = 1; distance < 32; distance *= 2) {
    const int other = __shfl_up_sync(~0u, sum, distance);
    if (lane >= distance) sum += other;
  }
  return sum - value;
}

// [join]
/// file = header, then the bytes of 32 tiles for each block of threads; a warp takes two of them.
__global__ void __launch_bounds__(threads_in_join)
    join_tiles_kernel(const std::uint32_t* places, const int* counts,
                      const __grid_constant__ tile_layout layout, const device_coding* coding,
                      const __grid_constant__ tile_board board, std::uint8_t* file, std::uint64_t room,
                      std::uint64_t* file_size) {
  __shared__ std::uint64_t warp_sums[warps_in_join], shared_begin;
  __shared__ int number, sizes[tiles_in_join];
  const int t = threadIdx.x, lane = t % 32, warp = t / 32, header_size = coding->header_size;
  if (t == 0) number = int(atomicAdd(board.next, 1u) - board.first_ticket);
  __syncthreads();  // all know the number
  const int first_tile = number * tiles_in_join;
  if (number == 0)
    for (int i = t; i < header_size && std::uint64_t(i) < room; i += threads_in_join)
      file[i] = coding->header[i];
  const std::uint64_t before =
      bits_before(counts, layout.first_of(layout.at(first_tile).interval), first_tile, warp_sums);

  constexpr int each = tiles_in_join / warps_in_join;
  tile_bytes bytes[each];
  int zeros[each];
  for (int h = 0; h < each; ++h) {
    const int tile = first_tile + each * warp + h;
    zeros[h] = 0;
    if (tile >= layout.tiles) {
      if (lane == 0) sizes[each * warp + h] = 0;
      continue;
    }
    const scan_tile at = layout.at(tile);
    const int first = layout.first_of(at.interval);
    std::uint64_t bits = first < first_tile ? before : 0;  // of the interval, before the tile
    for (int i = first < first_tile ? first_tile : first; i < tile; ++i) bits += std::uint64_t(counts[i]);
    const std::uint32_t* const place = places + std::size_t(tile) * most_words_of_tile;
    const unsigned tail = at.begins ? 0 : last_bits({place - most_words_of_tile, counts[tile - 1]});
    bytes[h] = {{place, counts[tile]}, int(bits % 8), tail, at.ends};
    int mine = 0;
    for (int j = lane; 4 * j < bytes[h].size(); j += 32) mine += bytes_ff(bytes[h].word(j));
    for (int distance = 16; distance > 0; distance /= 2) mine += __shfl_xor_sync(~0u, mine, distance);
    zeros[h] = mine;
    if (lane == 0) sizes[each * warp + h] = bytes[h].size() + mine + (at.ends ? 2 : 0);
  }
  __syncthreads();  // the sizes of all tiles are there
  if (warp == 0) {
    std::uint64_t own = std::uint64_t(sizes[lane]), sum = 0;
    for (int distance = 16; distance > 0; distance /= 2) own += __shfl_xor_sync(~0u, own, distance);
    if (lane == 0)
      publish(board.words, number,
              tile_word_of(board.call, number == 0 ? tile_sum::all : tile_sum::own, 0, own));
    if (number > 0) {
      sum = look_back(board.words, 0, number, board.call).sum;
      if (lane == 0) publish(board.words, number, tile_word_of(board.call, tile_sum::all, 0, sum + own));
    }
    if (lane == 0) shared_begin = std::uint64_t(header_size) + sum;
  }
  __syncthreads();  // all know where the first tile begins in the file

  for (int h = 0; h < each; ++h) {
    const int k = each * warp + h, tile = first_tile + k;
    if (tile >= layout.tiles) break;
    std::uint64_t begin = shared_begin;
    for (int i = 0; i < k; ++i) begin += std::uint64_t(sizes[i]);
    int zeros_before = 0;  // in the words of the rounds before
    const int words = (bytes[h].size() + 3) / 4;
    for (int round = 0; round < words; round += 32) {
      const int j = round + lane;
      const int mine = j < words ? bytes_ff(bytes[h].word(j)) : 0;
      const int at = zeros_before + lanes_before(mine);
      zeros_before = __shfl_sync(~0u, at + mine, 31);
      if (j < words) write_stuffed(bytes[h], {j, j + 1}, begin + std::uint64_t(4 * j + at), file, room);
    }
    const scan_tile at = layout.at(tile);
    if (lane != 0 || !at.ends) continue;
    const std::uint64_t end = begin + std::uint64_t(bytes[h].size() + zeros[h]);
    const bool is_last = tile == layout.tiles - 1;
    if (end + 1 < room) {
      file[end] = 0xFF;
      file[end + 1] = std::uint8_t(is_last ? int(jpeg_marker::end_of_image)
                                           : int(jpeg_marker::restart_0) + at.interval % 8);
    }
    if (is_last) *file_size = end + 2;
  }
}
// [join]

class split_encoder final : public tile_encoder {
 public:
  split_encoder(const jpeg_description& picture, const jpeg_coding& coding)
      : tile_encoder(picture, coding),
        places_(std::size_t(layout().tiles) * most_words_of_tile),
        counts_(std::size_t(layout().tiles)),
        joins_(ceil_div(layout().tiles, tiles_in_join)),
        board_(joins_) {}

 private:
  void launch(const tile_input& in, device_span<std::uint8_t> file, std::uint64_t* size) override {
    tile_bits_kernel<<<unsigned(layout().tiles), blocks_in_tile>>>(in, layout(), coding(), places_.data(),
                                                                   counts_.data());
    check(cudaGetLastError());
    join_tiles_kernel<<<unsigned(joins_), threads_in_join>>>(places_.data(), counts_.data(), layout(),
                                                             coding(), board_.next_call(), file.data(),
                                                             file.size(), size);
    check(cudaGetLastError());
  }

  device_buffer<std::uint32_t> places_;
  device_buffer<int> counts_;
  int joins_;
  tile_board_memory board_;
};

}  // namespace

std::unique_ptr<jpeg_encoder> make_split_encoder(const jpeg_description& picture, const jpeg_coding& coding) {
  return std::make_unique<split_encoder>(picture, coding);
}

}  // namespace tutorial

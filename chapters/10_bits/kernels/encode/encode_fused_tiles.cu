// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Pixels in, a file out, one kernel: a tile's place in the file depends on all tiles before it, and it looks
// back at them.
#include <algorithm>
#include <cstddef>

#include "10_bits/host/coding_tables.hpp"
#include "common/device/check.hpp"
#include "common/device/early_start.cuh"
#include "encode_tiles.hpp"
#include "look_back.cuh"
#include "tile_bytes.cuh"
#include "tile_code.cuh"
#include "tile_encoder.hpp"

namespace tutorial {
namespace {

// [kernel]
/// file = header, then tile after tile: stuff(bits of the tile's blocks), markers between the intervals.
__global__ void __launch_bounds__(blocks_in_tile, 7)
    encode_tiles_kernel(const __grid_constant__ tile_input in, const __grid_constant__ tile_layout layout,
                        const device_coding* coding, const __grid_constant__ tile_board board,
                        std::uint32_t* spare, int spare_places, std::uint8_t* file, std::uint64_t room,
                        std::uint64_t* file_size) {
  __shared__ tile_memory memory;
  __shared__ tile_ticket ticket;
  __shared__ std::uint64_t shared_sum;
  __shared__ unsigned shared_tail;
  const int t = threadIdx.x;

  // Tiles are numbered as they begin: every tile before this one has begun, too, in whatever order blocks
  // come.
  if (t == 0) ticket = draw_ticket(board, layout.tiles);
  __syncthreads();  // all know the number
  const int which = ticket.tile;
  const scan_tile tile = layout.at(which);

  const tile_bits bits = make_tile_bits(in, layout.scan, tile, coding, memory,
                                        spare + std::size_t(which % spare_places) * most_words_of_tile);
  const int header_size = coding->header_size;
  if (which == 0)
    for (int i = t; i < header_size && std::uint64_t(i) < room; i += blocks_in_tile)
      file[i] = coding->header[i];

  // At which bit of a byte does the tile begin? Only the first tile of an interval knows by itself.
  const int first = layout.first_of(tile.interval);
  if (!(tile.begins && tile.ends)) {
    if (t < 32) {
      const tiles_before before = sum_of_tiles_before({board.words[0], ticket.call}, first, which,
                                                      std::uint64_t(bits.count), last_bits(bits));
      if (t == 0) shared_sum = before.sum, shared_tail = before.tail;
    }
  } else if (t == 0) {
    shared_sum = 0, shared_tail = 0;
  }
  __syncthreads();  // all know what the first warp has found
  const tile_bytes bytes{bits, int(shared_sum % 8), shared_tail, tile.ends};

  // How many bytes will it have in the file, and where do they begin?
  const int size = bytes.size();
  const stretch part = stretch_of(t, (size + 3) / 4);
  int mine = 0, zeros = 0;
  for (int j = part.begin; j < part.end; ++j) mine += bytes_ff(bytes.word(j));
  const int zeros_before = sum_before(mine, zeros, memory.warp_sums);
  const bool is_last = which == layout.tiles - 1;
  if (t < 32) {
    const std::uint64_t own = std::uint64_t(size + zeros + (tile.ends ? 2 : 0));  // a marker has two bytes
    const std::uint64_t before = sum_of_tiles_before({board.words[1], ticket.call}, 0, which, own).sum;
    if (t == 0) shared_sum = std::uint64_t(header_size) + before;
  }
  __syncthreads();  // all know where the tile begins in the file
  const std::uint64_t begin = shared_sum;
  write_stuffed(bytes, part, begin + std::uint64_t(4 * part.begin + zeros_before), file, room);
  if (t == 0 && tile.ends) {
    const std::uint64_t end = begin + std::uint64_t(size + zeros);
    if (end + 1 < room) {
      file[end] = 0xFF;
      file[end + 1] = std::uint8_t(is_last ? int(jpeg_marker::end_of_image)
                                           : int(jpeg_marker::restart_0) + tile.interval % 8);
    }
    if (is_last) *file_size = end + 2;
  }
}
// [kernel]

class fused_encoder final : public tile_encoder {
 public:
  fused_encoder(const jpeg_description& picture, const jpeg_coding& coding, int tiles_at_once)
      : tile_encoder(picture, coding),
        at_once_(std::min(tiles_at_once, layout().tiles)),
        spare_(std::size_t(at_once_) * most_words_of_tile),
        board_(layout().tiles) {}

 private:
  void launch(const tile_input& in, device_span<std::uint8_t> file, std::uint64_t* size,
              cudaStream_t stream) override {
    const tile_board board = board_.next_call(stream);
    for (int first = 0; first < layout().tiles; first += at_once_) {
      const unsigned tiles = unsigned(std::min(at_once_, layout().tiles - first));
      if (first == 0 && is_optimized())  // behind the kernel that makes the codes
        launch_early(encode_tiles_kernel, tiles, blocks_in_tile, 0, stream, in, layout(), coding(), board,
                     spare_.data(), at_once_, file.data(), file.size(), size);
      else
        encode_tiles_kernel<<<tiles, blocks_in_tile, 0, stream>>>(
            in, layout(), coding(), board, spare_.data(), at_once_, file.data(), file.size(), size);
      check(cudaGetLastError());
    }
    board_.was_launched();
  }

  int at_once_;
  device_buffer<std::uint32_t> spare_;
  tile_board_memory board_;
};

}  // namespace

std::unique_ptr<jpeg_encoder> make_fused_encoder(const jpeg_description& picture, const jpeg_coding& coding) {
  return make_fused_encoder_by_turns(picture, coding, most_tiles_at_once);
}

std::unique_ptr<jpeg_encoder> make_fused_encoder_by_turns(const jpeg_description& picture,
                                                          const jpeg_coding& coding, int tiles_at_once) {
  return std::make_unique<fused_encoder>(picture, coding, tiles_at_once);
}

}  // namespace tutorial

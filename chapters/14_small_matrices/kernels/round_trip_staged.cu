// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The products of round_trip_mma.cu, with pixels staged: whole rows of a tile come and go through shared
// memory, and two tiles are under way while one is computed.
#include <cuda_pipeline.h>

#include "common/device/check.hpp"
#include "launch_warps.hpp"
#include "small_matrices.hpp"
#include "warp_products.cuh"

namespace tutorial {
namespace {

using namespace detail;

constexpr int warps_in_block = threads_of_warps / 32;
constexpr int stages = 3;  // tiles of a warp in shared memory: one at work, two under way
/// 8 words of 16 bytes and 2 of space: lanes that read rows j of neighboring pairs of blocks then touch all
/// banks.
constexpr int words_in_row = 10, words_in_tile = tile_height * words_in_row;

// [stage]
/// Brings two words of the tile to shared memory, row `line` and row line + 4, and does not wait. Every call
/// is one stage, even where no tile is left. Whole: every word of a tile is either inside the picture or
/// entirely to the right of it; for a word outside, the last word inside is loaded, and the result is never
/// used.
template <bool Whole>
__device__ __forceinline__ void fetch(const pixel_rows<const std::uint8_t>& pixels, tile_place at, int line,
                                      int word, uint4* stage, bool is_tile) {
  const int column = at.column + 16 * word;
#pragma unroll
  for (int i = 0; i < 2 && is_tile; ++i) {
    const int row = line + 4 * i;
    uint4* const to = stage + row * words_in_row + word;
    if (Whole || column + 16 <= pixels.width) {
      const std::uint8_t* const from =
          pixels.data +
          std::size_t(Whole ? at.row + row : min(at.row + row, pixels.height - 1)) * pixels.pitch +
          (Whole ? min(column, pixels.width - 16) : column);
      __pipeline_memcpy_async(to, from, 16);
    } else {
      *to = load_16_pixels(pixels, at.row + row, column);
    }
  }
  __pipeline_commit();
}

/// The way back, when the tile's results are there.
template <bool Whole>
__device__ __forceinline__ void store(const pixel_rows<std::uint8_t>& result, tile_place at, int line,
                                      int word, const uint4* stage) {
  const int column = at.column + 16 * word;
  if (Whole && column >= result.width) return;
#pragma unroll
  for (int row = line; row < tile_height; row += 4) {
    const uint4 pixels = stage[row * words_in_row + word];
    if (Whole)
      *reinterpret_cast<uint4*>(result.data + std::size_t(at.row + row) * result.pitch + column) = pixels;
    else
      store_16_pixels(result, at.row + row, column, pixels);
  }
}
// [stage]

// [kernel]
/// result = decode(encode(pixels)). Whole: the width is a multiple of 16, and the height is a multiple of 8.
template <bool SmallLevels, bool Whole>
__global__ void __launch_bounds__(threads_of_warps, blocks_of_warps)
    round_trip_staged_kernel(const pixel_rows<const std::uint8_t> pixels, const uint4* fragments,
                             const tile_grid grid, const pixel_rows<std::uint8_t> result) {
  __shared__ uint4 ring[warps_in_block][stages][words_in_tile];
  const int lane = threadIdx.x % 32, pair = lane / 4, j = lane % 4;  // in products
  const int line = lane / 8, word = lane % 8;                        // in copies
  const int warps = gridDim.x * warps_in_block;
  int tile = blockIdx.x * warps_in_block + threadIdx.x / 32;
  uint4(&mine)[stages][words_in_tile] = ring[threadIdx.x / 32];

  tile_place at = place_of_tile(tile, grid.tiles_in_row), next = at;  // at work, and next to be fetched
  const tile_place step = place_of_tile(warps, grid.tiles_in_row);
  const auto fetch_next = [&](int which, int stage) {
    fetch<Whole>(pixels, next, line, word, mine[stage], which < grid.tiles);
    advance(next, step, grid.tiles_in_row);
  };
  for (int i = 0; i < stages - 1; ++i) fetch_next(tile + i * warps, i);
  uint4 matrices[16];
  load_fragments(fragments, matrices);

  for (int stage = 0; tile < grid.tiles; tile += warps, stage = stage == stages - 1 ? 0 : stage + 1) {
    __pipeline_wait_prior(stages - 2);
    __syncwarp();  // what all lanes have copied is there; and the tile before this one has left its stage
    uint4* const rows = mine[stage];
    uint4& top = rows[j * words_in_row + pair];
    uint4& bottom = rows[(7 - j) * words_in_row + pair];
    uint4 new_top = top, new_bottom = bottom;
    fetch_next(tile + (stages - 1) * warps, stage == 0 ? stages - 1 : stage - 1);
    round_trip_tile<SmallLevels>(new_top, new_bottom, matrices);
    top = new_top, bottom = new_bottom;
    __syncwarp();  // all results are in the tile before its rows leave
    store<Whole>(result, at, line, word, rows);
    advance(at, step, grid.tiles_in_row);
  }
}
// [kernel]

}  // namespace

void round_trip_staged(device_plane_span<const std::uint8_t> pixels, const product_matrices& matrices,
                       device_plane_span<std::uint8_t> result, cudaStream_t stream) {
  const tile_grid grid = tile_grid_of(pixels, result);
  const bool whole = pixels.width() % 16 == 0 && pixels.height() % tile_height == 0;
  const auto kernel = matrices.has_small_levels() ? whole ? round_trip_staged_kernel<true, true>
                                                          : round_trip_staged_kernel<true, false>
                      : whole ? round_trip_staged_kernel<false, true>
                                                  : round_trip_staged_kernel<false, false>;
  kernel<<<warp_blocks(grid.tiles), threads_of_warps, 0, stream>>>(rows_of(pixels), matrices.fragments(),
                                                                   grid, rows_of(result));
  check(cudaGetLastError());
}

}  // namespace tutorial

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Products by mma.sync: pixels become levels and pixels again in the registers of the lanes that loaded
// them.
#include "common/device/check.hpp"
#include "launch_warps.hpp"
#include "small_matrices.hpp"
#include "warp_products.cuh"

namespace tutorial {
namespace {

using namespace detail;

// [kernel]
/// result = decode(encode(pixels)). A warp goes from tile to tile, because its matrices fill 64 registers.
template <bool SmallLevels>
__global__ void __launch_bounds__(threads_of_warps, blocks_of_warps)
    round_trip_mma_kernel(const pixel_rows<const std::uint8_t> pixels, const uint4* fragments,
                          const tile_grid grid, const pixel_rows<std::uint8_t> result) {
  const int lane = threadIdx.x % 32, pair = lane / 4, j = lane % 4;
  const int warps = gridDim.x * (blockDim.x / 32);
  uint4 matrices[16];
  load_fragments(fragments, matrices);

  int tile = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  if (tile >= grid.tiles) return;  // the whole warp
  tile_place at = place_of_tile(tile, grid.tiles_in_row);
  const tile_place step = place_of_tile(warps, grid.tiles_in_row);
  uint4 next_top = load_16_pixels(pixels, at.row + j, at.column + 16 * pair);
  uint4 next_bottom = load_16_pixels(pixels, at.row + 7 - j, at.column + 16 * pair);
  while (tile < grid.tiles) {
    uint4 top = next_top, bottom = next_bottom;
    const tile_place here = at;
    tile += warps;
    advance(at, step, grid.tiles_in_row);
    if (tile < grid.tiles) {  // under way while this tile is computed
      next_top = load_16_pixels(pixels, at.row + j, at.column + 16 * pair);
      next_bottom = load_16_pixels(pixels, at.row + 7 - j, at.column + 16 * pair);
    }
    round_trip_tile<SmallLevels>(top, bottom, matrices);
    store_16_pixels(result, here.row + j, here.column + 16 * pair, top);
    store_16_pixels(result, here.row + 7 - j, here.column + 16 * pair, bottom);
  }
}
// [kernel]

}  // namespace

void round_trip_mma(device_plane_span<const std::uint8_t> pixels, const product_matrices& matrices,
                    device_plane_span<std::uint8_t> result, cudaStream_t stream) {
  const tile_grid grid = tile_grid_of(pixels, result);
  const auto kernel =
      matrices.has_small_levels() ? round_trip_mma_kernel<true> : round_trip_mma_kernel<false>;
  kernel<<<warp_blocks(grid.tiles), threads_of_warps, 0, stream>>>(rows_of(pixels), matrices.fragments(),
                                                                   grid, rows_of(result));
  check(cudaGetLastError());
}

}  // namespace tutorial

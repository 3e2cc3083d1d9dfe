// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Products by nvcuda::wmma: fragments are loaded from shared memory and stored there, and no lane knows
// which elements it holds in between.
#include <mma.h>

#include "common/device/check.hpp"
#include "small_matrices.hpp"
#include "tiles.cuh"

namespace tutorial {
namespace {

using namespace detail;
namespace wmma = nvcuda::wmma;

constexpr int warps_in_block = 4;

/// What passes between the products of a warp. Row b of a matrix is block b of the tile.
struct warp_memory {
  __half factors[folded_parts][256];
  float sums[folded_parts][256];
};

// [product]
/// sums = bias + factors * (high + low), by a whole warp.
__device__ __forceinline__ void multiply(const __half* factors, const split_matrix& matrix, float bias,
                                         float* sums) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::load_matrix_sync(a, factors, 16);
  wmma::fill_fragment(sum, bias);
  wmma::load_matrix_sync(b, reinterpret_cast<const __half*>(matrix.low), 16);
  wmma::mma_sync(sum, a, b, sum);
  wmma::load_matrix_sync(b, reinterpret_cast<const __half*>(matrix.high), 16);
  wmma::mma_sync(sum, a, b, sum);
  wmma::store_matrix_sync(sums, sum, 16, wmma::mem_row_major);
}
// [product]

// [kernel]
/// result = decode(encode(pixels)), a warp for each tile.
__global__ void __launch_bounds__(32 * warps_in_block)
    round_trip_wmma_kernel(const pixel_rows<const std::uint8_t> pixels, const split_matrices* matrices,
                           const tile_grid grid, const pixel_rows<std::uint8_t> result) {
  __shared__ __align__(32) warp_memory memory[warps_in_block];
  const int lane = threadIdx.x % 32, pair = lane / 4, j = lane % 4;
  const int tile = blockIdx.x * warps_in_block + threadIdx.x / 32;
  if (tile >= grid.tiles) return;  // the whole warp
  const tile_place at = place_of_tile(tile, grid.tiles_in_row);
  warp_memory& mine = memory[threadIdx.x / 32];

  const uint4 top = load_16_pixels(pixels, at.row + j, at.column + 16 * pair);
  const uint4 bottom = load_16_pixels(pixels, at.row + 7 - j, at.column + 16 * pair);
  for (int block = 0; block < 2; ++block) {
    __half2 folded[4][2];
    fold(block == 0 ? make_uint2(top.x, top.y) : make_uint2(top.z, top.w),
         block == 0 ? make_uint2(bottom.x, bottom.y) : make_uint2(bottom.z, bottom.w), folded);
    for (int i = 0; i < 8; ++i)  // numbers 2 j and 2 j + 1 of a part, then 2 j + 8 and 2 j + 9
      *reinterpret_cast<__half2*>(&mine.factors[i / 2][16 * (2 * pair + block) + 2 * j + 8 * (i % 2)]) =
          folded[i / 2][i % 2];
  }
  __syncwarp();  // all lanes have written their rows
  for (int part = 0; part < folded_parts; ++part)
    multiply(mine.factors[part], matrices->forward[part], 0, mine.sums[part]);
  __syncwarp();  // all sums are stored, all factors read
  for (int i = 2 * lane; i < 256; i += 64)
    for (int part = 0; part < folded_parts; ++part)
      *reinterpret_cast<__half2*>(&mine.factors[part][i]) =
          two_levels<false>(mine.sums[part][i], mine.sums[part][i + 1]);
  __syncwarp();  // all levels are there
  for (int part = 0; part < folded_parts; ++part)
    multiply(mine.factors[part], matrices->inverse[part], part == 0 ? 128 : 0, mine.sums[part]);
  __syncwarp();  // all sums are stored

  uint2 rows[2][2];  // [block][top, bottom]
  for (int block = 0; block < 2; ++block) {
    float of_block[folded_parts][4];
    for (int i = 0; i < 16; ++i)
      of_block[i / 4][i % 4] = mine.sums[i / 4][16 * (2 * pair + block) + 2 * j + i % 2 + 8 * (i % 4 / 2)];
    unfold(of_block, rows[block][0], rows[block][1]);
  }
  store_16_pixels(result, at.row + j, at.column + 16 * pair,
                  make_uint4(rows[0][0].x, rows[0][0].y, rows[1][0].x, rows[1][0].y));
  store_16_pixels(result, at.row + 7 - j, at.column + 16 * pair,
                  make_uint4(rows[0][1].x, rows[0][1].y, rows[1][1].x, rows[1][1].y));
}
// [kernel]

}  // namespace

void round_trip_wmma(device_plane_span<const std::uint8_t> pixels, const product_matrices& matrices,
                     device_plane_span<std::uint8_t> result, cudaStream_t stream) {
  const tile_grid grid = tile_grid_of(pixels, result);
  round_trip_wmma_kernel<<<unsigned(ceil_div(grid.tiles, warps_in_block)), 32 * warps_in_block, 0, stream>>>(
      rows_of(pixels), matrices.matrices(), grid, rows_of(result));
  check(cudaGetLastError());
}

}  // namespace tutorial

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "unrounded.hpp"

#include "09_dct_compression/host/block_factors.hpp"
#include "09_dct_compression/kernels/factorized_dct.cuh"
#include "14_small_matrices/kernels/warp_products.cuh"
#include "common/device/check.hpp"

namespace tutorial {
namespace {

using namespace detail;

/// A warp for each tile: the forward half of round_trip_tile().
__global__ void products_kernel(const pixel_rows<const std::uint8_t> pixels, const uint4* fragments,
                                const tile_grid grid, const pixel_rows<float> ratios) {
  const int lane = threadIdx.x, pair = lane / 4, j = lane % 4;
  const tile_place at = place_of_tile(int(blockIdx.x), grid.tiles_in_row);
  uint4 matrices[16];
  load_fragments(fragments, matrices);
  const folded_tile folded = fold_tile(load_16_pixels(pixels, at.row + j, at.column + 16 * pair),
                                       load_16_pixels(pixels, at.row + 7 - j, at.column + 16 * pair));
  for (int part = 0; part < folded_parts; ++part) {
    float sums[2][4] = {};
    add_split_product(sums, folded.part[part], matrices + 2 * part);
    for (int i = 0; i < 8; ++i) {
      const int n = 8 * (i / 4) + 2 * j + i % 2, block = 2 * pair + i % 4 / 2;
      const int v = 2 * (n / 4) + part / 2, u = 2 * (n % 4) + part % 2;
      const int row = at.row + v, column = at.column + 8 * block + u;
      if (column < ratios.width)
        reinterpret_cast<float*>(reinterpret_cast<char*>(ratios.data) + row * ratios.pitch)[column] =
            sums[i / 4][i % 4] * float(1 / forward_scale);
    }
  }
}

/// A thread for each 8x8 block: the forward half of chapter 09's round trip.
__global__ void floats_kernel(const pixel_rows<const std::uint8_t> pixels,
                              const __grid_constant__ block_factors factors, const pixel_rows<float> ratios) {
  const pixel_block at{int(blockIdx.x) * 8, int(blockIdx.y) * 8, pixels.width, pixels.height};
  pixel_row rows[8];
  load_rows(pixels.data, pixels.pitch, at, rows);
  float x[64];
  for (int i = 0; i < 64; ++i) x[i] = static_cast<float>(byte_of(rows[i / 8], i % 8));
  for (int c = 0; c < 8; ++c) dct8_scaled<8>(x + c);
  for (int v = 0; v < 8; ++v) dct8_scaled<1>(x + 8 * v);
  x[0] -= 64 * 128;
  for (int i = 0; i < 64; ++i)
    reinterpret_cast<float*>(reinterpret_cast<char*>(ratios.data) +
                             (at.row + i / 8) * ratios.pitch)[at.column + i % 8] = x[i] * factors.at[i];
}

}  // namespace

plane<float> unrounded_by_products(const plane<std::uint8_t>& pixels, const quantization_table& steps) {
  const device_plane<std::uint8_t> d_pixels(pixels);
  device_plane<std::uint8_t> unused(pixels.width, pixels.height);
  device_plane<float> ratios(pixels.width, pixels.height);
  const product_matrices matrices(steps);
  const tile_grid grid = tile_grid_of(d_pixels, unused);
  products_kernel<<<unsigned(grid.tiles), 32>>>(rows_of(d_pixels.span()), matrices.fragments(), grid,
                                                rows_of(ratios.span()));
  check(cudaGetLastError());
  return ratios.to_host();
}

plane<float> unrounded_by_floats(const plane<std::uint8_t>& pixels, const quantization_table& steps) {
  const device_plane<std::uint8_t> d_pixels(pixels);
  device_plane<float> ratios(pixels.width, pixels.height);
  floats_kernel<<<dim3(unsigned(pixels.width / 8), unsigned(pixels.height / 8)), 1>>>(
      rows_of(d_pixels.span()), encode_factors(steps), rows_of(ratios.span()));
  check(cudaGetLastError());
  return ratios.to_host();
}

}  // namespace tutorial

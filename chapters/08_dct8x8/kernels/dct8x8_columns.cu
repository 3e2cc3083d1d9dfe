// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Eight threads for each 8x8 block, each with a column in registers. Shared memory only turns columns into
// rows and back, among threads of one warp: no barrier for the block.
#include "08_dct8x8/host/dct_sizes.hpp"
#include "common/device/ceil_div.hpp"
#include "dct8.cuh"
#include "dct8x8_columns.hpp"

namespace tutorial {
namespace {

constexpr int threads_per_block = 256;  // 32 of the 8x8 blocks, side by side
constexpr int blocks_wide = threads_per_block / 8;
static_assert(threads_per_block % 32 == 0, "the threads of an 8x8 block must be of one warp");

// [place]
// tile[i][t] is row i of the column that thread t loads. A row has one float more than there are threads, so
// tile[i][t] is in bank i + t.
// - A warp that goes along a row meets banks t, t + 1, ..., all different.
// - If thread i of each of a warp's four 8x8 blocks reads element x of row i, the warp meets banks
//   i + 8 b + x, with i = 0..7 and b = 0..3 for the 8x8 blocks: all different again.
constexpr int tile_pitch = threads_per_block + 1;
// [place]

// [exchange]
/// Columns to rows among the eight threads of each 8x8 block: before, thread i has tile column i in `values`;
/// after, row i.
__device__ __forceinline__ void columns_to_rows(float (&tile)[8][tile_pitch], float (&values)[8]) {
  const int t = threadIdx.x, i = t % 8, begin = t - i;
#pragma unroll
  for (int k = 0; k < 8; ++k) tile[k][t] = values[k];
  __syncwarp();  // all columns are there before any lane reads a row
#pragma unroll
  for (int k = 0; k < 8; ++k) values[k] = tile[i][begin + k];
}
// [exchange]

/// And back. A thread overwrites the row that it alone has read.
__device__ __forceinline__ void rows_to_columns(float (&tile)[8][tile_pitch], float (&values)[8]) {
  const int t = threadIdx.x, i = t % 8, begin = t - i;
#pragma unroll
  for (int k = 0; k < 8; ++k) tile[i][begin + k] = values[k];
  __syncwarp();  // all rows are there before any lane reads a column
#pragma unroll
  for (int k = 0; k < 8; ++k) values[k] = tile[k][t];
}

// [kernel]
/// C = A X A^T. A thread loads column x of an 8x8 block and stores column u = x of its coefficients.
__global__ void __launch_bounds__(threads_per_block)
    dct8x8_kernel(const float* __restrict__ pixels, std::int64_t pixels_pitch, int width, int height,
                  float* __restrict__ coefficients, std::int64_t coefficients_pitch, int coefficients_width) {
  __shared__ float tile[8][tile_pitch];
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = 8 * blockIdx.y;
  // Either all eight threads of an 8x8 block return here or none do, and no barrier waits for threads that
  // have returned.
  if (col >= coefficients_width) return;

  float values[8];  // X[0..7][x]
  // Beyond the edges the last column and row are repeated.
  const float* column = pixels + min(col, width - 1);
#pragma unroll
  for (int y = 0; y < 8; ++y) values[y] = column[min(row + y, height - 1) * pixels_pitch];

  dct8(values);  // (A X)[0..7][x]
  columns_to_rows(tile, values);
  dct8(values);  // (A X A^T)[v][0..7]
  rows_to_columns(tile, values);

#pragma unroll
  for (int v = 0; v < 8; ++v) coefficients[(row + v) * coefficients_pitch + col] = values[v];
}
// [kernel]

/// X = A^T C A. A thread loads column u of an 8x8 block of coefficients and stores column x = u of its
/// pixels.
__global__ void __launch_bounds__(threads_per_block)
    idct8x8_kernel(const float* __restrict__ coefficients, std::int64_t coefficients_pitch,
                   int coefficients_width, float* __restrict__ pixels, std::int64_t pixels_pitch, int width,
                   int height) {
  __shared__ float tile[8][tile_pitch];
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = 8 * blockIdx.y;

  if (col >= coefficients_width) return;

  float values[8];  // C[0..7][u]
  const float* column = coefficients + row * coefficients_pitch + col;
#pragma unroll
  for (int v = 0; v < 8; ++v) values[v] = column[v * coefficients_pitch];

  idct8(values);  // (A^T C)[0..7][u]
  columns_to_rows(tile, values);
  idct8(values);  // (A^T C A)[y][0..7]
  rows_to_columns(tile, values);

  if (col >= width) return;  // made for whole blocks only
#pragma unroll
  for (int y = 0; y < 8; ++y)
    if (row + y < height) pixels[(row + y) * pixels_pitch + col] = values[y];
}

dim3 grid_for(int coefficients_width, int coefficients_height) {
  return dim3(unsigned(ceil_div(coefficients_width / 8, blocks_wide)), unsigned(coefficients_height / 8));
}

}  // namespace

void dct8x8(device_plane_span<const float> pixels, device_plane_span<float> coefficients,
            cudaStream_t stream) {
  detail::require_dct_sizes(pixels.width(), pixels.height(), coefficients.width(), coefficients.height());
  dct8x8_kernel<<<grid_for(coefficients.width(), coefficients.height()), threads_per_block, 0, stream>>>(
      pixels.data(), detail::pitch_in_elements(pixels), pixels.width(), pixels.height(), coefficients.data(),
      detail::pitch_in_elements(coefficients), coefficients.width());
  check(cudaGetLastError());
}

void idct8x8(device_plane_span<const float> coefficients, device_plane_span<float> pixels,
             cudaStream_t stream) {
  detail::require_dct_sizes(pixels.width(), pixels.height(), coefficients.width(), coefficients.height());
  idct8x8_kernel<<<grid_for(coefficients.width(), coefficients.height()), threads_per_block, 0, stream>>>(
      coefficients.data(), detail::pitch_in_elements(coefficients), coefficients.width(), pixels.data(),
      detail::pitch_in_elements(pixels), pixels.width(), pixels.height());
  check(cudaGetLastError());
}

kernel_facts dct8x8_facts() { return facts_of(dct8x8_kernel, threads_per_block); }

}  // namespace tutorial

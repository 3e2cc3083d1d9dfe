// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Exercise 3: levels back to pixels, with four faults.
#include "find_the_faults.hpp"

#include <algorithm>

#include "08_dct8x8/host/dct_serial.hpp"

namespace tutorial {
namespace {

constexpr int threads_per_block = 256;  // a strip of 32 8x8 blocks, one thread per column
__constant__ float matrix[8][8];        // A[u][x]

struct step_sizes {
  int at[64];  // step(v, u) is at[8 * v + u]
};

/// x[i] = sum over k of A[k][i] c[k]: the inverse DCT of eight values.
__device__ void idct8(const float* c, float* x) {
  for (int i = 0; i < 8; ++i) {
    x[i] = 0;
    for (int k = 0; k < 8; ++k) x[i] += matrix[k][i] * c[k];
  }
}

/// X = A^T C A + 128 with C = level * step: first the columns of each 8x8 block, then its rows. Block y is a
/// row of 8x8 blocks.
__global__ void decode_kernel(const std::int16_t* __restrict__ levels, int level_pitch,  // in levels
                              int padded_width, step_sizes steps, std::uint8_t* __restrict__ pixels,
                              int pixel_pitch, int width, int height) {
  __shared__ float tile[threads_per_block / 8][8]
                       [9];  // (8x8 block of the strip, row, column), and a column unused
  const int col = blockIdx.x * blockDim.x + threadIdx.x, top = 8 * blockIdx.y;
  const int b = threadIdx.x / 8, t = threadIdx.x % 8;  // its 8x8 block; its column there, and then its row
  float c[8], x[8];

  // TODO: four faults: two in what is computed, one in a wait, one in a store (about 16 lines)
  for (int v = 0; v < 8; ++v)
    c[v] = col < padded_width ? float(levels[(top + v) * level_pitch + col] * steps.at[8 * t + v]) : 0.0f;
  idct8(c, x);
  for (int row = 0; row < 8; ++row) tile[b][row][t] = x[row];
  __syncthreads();  // columns are written before rows are read
  for (int u = 0; u < 8; ++u) c[u] = tile[b][t][u];
  idct8(c, x);
  for (int i = 0; i < 8; ++i) tile[b][t][i] = x[i];
  for (int row = 0; row < 8; ++row) {
    const int value = int(tile[b][row][t] + 128.5f);
    if (col < padded_width) pixels[(top + row) * pixel_pitch + col] = std::uint8_t(value);
  }
}

}  // namespace

void decode_by_columns(device_plane_span<const std::int16_t> levels, const quantization_table& steps,
                       device_plane_span<std::uint8_t> pixels) {
  float a[8][8];
  for (int u = 0; u < 8; ++u)
    for (int x = 0; x < 8; ++x) a[u][x] = float(dct_matrix()[std::size_t(u)][std::size_t(x)]);
  check(cudaMemcpyToSymbol(matrix, a, sizeof a));
  step_sizes sizes;
  std::copy(steps.begin(), steps.end(), sizes.at);
  const dim3 grid((levels.width() + threads_per_block - 1) / threads_per_block, levels.height() / 8);
  decode_kernel<<<grid, threads_per_block>>>(levels.data(), int(levels.pitch() / sizeof(std::int16_t)),
                                             levels.width(), sizes, pixels.data(), int(pixels.pitch()),
                                             pixels.width(), pixels.height());
  check(cudaGetLastError());
}

}  // namespace tutorial

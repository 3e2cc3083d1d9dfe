// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Exercise 4: 8 threads per 8x8 block, each with a column in registers, that swap rows and columns by
// shuffles.
#include "without_shared_memory.hpp"

#include "08_dct8x8/host/dct_serial.hpp"
#include "common/device/check.hpp"

namespace tutorial {
namespace {

constexpr int threads_per_block = 256;
__constant__ float a[8][8];  // (u, x): a row is a basis wave

/// values[u] = sum over x of A[u][x] values[x]. All indices are known to the compiler: they stay in
/// registers.
__device__ void transform(float (&values)[8]) {
  float sums[8] = {};
#pragma unroll
  for (int u = 0; u < 8; ++u)
#pragma unroll
    for (int x = 0; x < 8; ++x) sums[u] += a[u][x] * values[x];
#pragma unroll
  for (int u = 0; u < 8; ++u) values[u] = sums[u];
}

/// Lane c of eight has (r, c) in values[r]; afterwards it has (c, r) there. All 32 lanes of a warp must come
/// here.
__device__ void swap_rows_and_columns(float (&values)[8], int c) {
  // SOLUTION: three rounds: lanes whose numbers differ in one bit exchange four values (about 9 lines)
  // STARTER: (void)values, (void)c;  // nothing is exchanged yet
#pragma unroll
  for (int bit = 1; bit < 8; bit *= 2)
#pragma unroll
    for (int r = 0; r < 8; ++r) {
      if (r & bit) continue;
      // The lane without the bit gives its row with the bit, the lane with it gives its row without it.
      const bool has_bit = c & bit;
      const float got = __shfl_xor_sync(0xffffffff, has_bit ? values[r] : values[r + bit], bit);
      (has_bit ? values[r] : values[r + bit]) = got;
    }
  // END SOLUTION
}

/// C = A X A^T, 8 threads per 8x8 block: thread c of them owns column c. Pitches are in floats.
__global__ void dct_shuffled_kernel(const float* pixels, int width, int height, int pitch,
                                    float* coefficients, int padded_width, int coefficient_pitch) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x, top = blockIdx.y * 8;
  float values[8];
#pragma unroll
  for (int r = 0; r < 8; ++r) values[r] = pixels[min(top + r, height - 1) * pitch + min(col, width - 1)];
  transform(values);  // values[v] of column c
  swap_rows_and_columns(values, threadIdx.x % 8);
  transform(values);  // values[u] of row v = c
  swap_rows_and_columns(values, threadIdx.x % 8);
  if (col >= padded_width) return;  // not before: all lanes of a warp have exchanged values
#pragma unroll
  for (int r = 0; r < 8; ++r) coefficients[(top + r) * coefficient_pitch + col] = values[r];
}

}  // namespace

void dct_without_shared_memory(device_plane_span<const float> pixels, device_plane_span<float> coefficients) {
  float matrix[8][8];
  for (int u = 0; u < 8; ++u)
    for (int x = 0; x < 8; ++x) matrix[u][x] = float(dct_matrix()[u][x]);
  check(cudaMemcpyToSymbol(a, matrix, sizeof matrix));
  const dim3 blocks((coefficients.width() + threads_per_block - 1) / threads_per_block,
                    coefficients.height() / 8);
  dct_shuffled_kernel<<<blocks, threads_per_block>>>(
      pixels.data(), pixels.width(), pixels.height(), int(pixels.pitch() / sizeof(float)),
      coefficients.data(), coefficients.width(), int(coefficients.pitch() / sizeof(float)));
  check(cudaGetLastError());
}

}  // namespace tutorial

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Exercise 3: one thread per coefficient, with four faults. Not every picture shows all of them.
#include "four_faults.hpp"

#include "08_dct8x8/host/dct_serial.hpp"
#include "common/device/check.hpp"

namespace tutorial {
namespace {

__constant__ float a[8][8];  // (u, x): a row is a basis wave

/// C = A X A^T for one 8x8 block, one thread per coefficient. Pitches are in floats.
__global__ void dct_kernel(const float* pixels, int width, int height, int pitch, float* coefficients,
                           int coefficient_pitch) {
  __shared__ float block[8][8], half[8][8];
  const int r = threadIdx.y, c = threadIdx.x;
  const int row = blockIdx.y * 8 + r, col = blockIdx.x * 8 + c;

  // SOLUTION: four faults, somewhere from here to the launch (about 20 lines)
  // clang-format off
  // STARTER: if (row >= height || col >= width) return;
  // STARTER: block[r][c] = pixels[row * pitch + col];
  // STARTER: __syncthreads();  // all pixels are there before any thread adds them up
  // STARTER: float sum = 0;
  // STARTER: for (int i = 0; i < 8; ++i) sum += a[r][i] * block[i][c];
  // STARTER: half[r][c] = sum;
  // STARTER: sum = 0;
  // STARTER: for (int i = 0; i < 8; ++i) sum += half[r][i] * a[i][c];
  // STARTER: coefficients[row * coefficient_pitch + col] = sum;
// STARTER: }
// STARTER: 
// STARTER: }  // namespace
// STARTER: 
// STARTER: void dct_four_faults(device_plane_span<const float> pixels, device_plane_span<float> coefficients) {
  // STARTER: float matrix[8][8];
  // STARTER: for (int u = 0; u < 8; ++u)
    // STARTER: for (int i = 0; i < 8; ++i) matrix[u][i] = float(dct_matrix()[u][i]);
  // STARTER: check(cudaMemcpyToSymbol(a, matrix, sizeof matrix));
  // STARTER: const dim3 blocks(coefficients.width() / 8, coefficients.height() / 8), threads(8, 8);
  // STARTER: dct_kernel<<<blocks, threads>>>(pixels.data(), pixels.width(), pixels.height(), int(pixels.pitch()),
                                  // STARTER: coefficients.data(), int(coefficients.pitch() / sizeof(float)));
  // clang-format on
  block[r][c] = pixels[min(row, height - 1) * pitch + min(col, width - 1)];
  __syncthreads();  // all pixels are there before any thread adds them up
  float sum = 0;
  for (int i = 0; i < 8; ++i) sum += a[r][i] * block[i][c];
  half[r][c] = sum;
  __syncthreads();  // a row of half comes from eight threads
  sum = 0;
  for (int i = 0; i < 8; ++i) sum += half[r][i] * a[c][i];
  coefficients[row * coefficient_pitch + col] = sum;
}

}  // namespace

void dct_four_faults(device_plane_span<const float> pixels, device_plane_span<float> coefficients) {
  float matrix[8][8];
  for (int u = 0; u < 8; ++u)
    for (int i = 0; i < 8; ++i) matrix[u][i] = float(dct_matrix()[u][i]);
  check(cudaMemcpyToSymbol(a, matrix, sizeof matrix));
  const dim3 blocks(coefficients.width() / 8, coefficients.height() / 8), threads(8, 8);
  dct_kernel<<<blocks, threads>>>(pixels.data(), pixels.width(), pixels.height(),
                                  int(pixels.pitch() / sizeof(float)), coefficients.data(),
                                  int(coefficients.pitch() / sizeof(float)));
  // END SOLUTION
  check(cudaGetLastError());
}

}  // namespace tutorial

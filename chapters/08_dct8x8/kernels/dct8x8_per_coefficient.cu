// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// A block of threads for each 8x8 block, a thread for each coefficient: two sums of eight products, with a
// barrier between them.
#include "08_dct8x8/host/dct_sizes.hpp"
#include "dct8x8_per_coefficient.hpp"
#include "dct_table.cuh"

namespace tutorial {
namespace {

__constant__ dct_table matrix = make_dct_table();

// [kernel]
/// C = A X A^T. Thread (x, y) stages pixel X[y][x], and ends with coefficient C[v = y][u = x].
__global__ void __launch_bounds__(64)
    dct8x8_per_coefficient_kernel(const float* pixels, std::int64_t pixels_pitch, int width, int height,
                                  float* coefficients, std::int64_t coefficients_pitch) {
  __shared__ float pixel[8][8], half[8][8];
  const int x = threadIdx.x, y = threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;  // [0, padded width)
  const int row = blockIdx.y * blockDim.y + threadIdx.y;  // [0, padded height)

  // Beyond the edges the last column and row are repeated.
  pixel[y][x] = pixels[min(row, height - 1) * pixels_pitch + min(col, width - 1)];
  __syncthreads();  // every pixel is staged before any thread adds up a column

  // half = A X
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 8; ++k) sum += matrix.a[y][k] * pixel[k][x];
  half[y][x] = sum;
  __syncthreads();  // half is written by all before any thread adds up a row of it

  // C = half A^T
  sum = 0;
#pragma unroll
  for (int k = 0; k < 8; ++k) sum += half[y][k] * matrix.a[x][k];
  coefficients[row * coefficients_pitch + col] = sum;
}
// [kernel]

/// X = A^T C A. Thread (x, y) stages coefficient C[y][x], and ends with pixel X[y][x].
__global__ void __launch_bounds__(64)
    idct8x8_per_coefficient_kernel(const float* coefficients, std::int64_t coefficients_pitch, float* pixels,
                                   std::int64_t pixels_pitch, int width, int height) {
  __shared__ float coefficient[8][8], half[8][8];
  const int x = threadIdx.x, y = threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;

  coefficient[y][x] = coefficients[row * coefficients_pitch + col];
  __syncthreads();  // every coefficient is staged before any thread adds up a column

  // half = A^T C
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 8; ++k) sum += matrix.a[k][y] * coefficient[k][x];
  half[y][x] = sum;
  __syncthreads();  // half is written by all before any thread adds up a row of it

  // X = half A. What lies beyond the edge was computed only to fill the block.
  if (row >= height || col >= width) return;
  sum = 0;
#pragma unroll
  for (int k = 0; k < 8; ++k) sum += half[y][k] * matrix.a[k][x];
  pixels[row * pixels_pitch + col] = sum;
}

}  // namespace

void dct8x8_per_coefficient(device_plane_span<const float> pixels, device_plane_span<float> coefficients,
                            cudaStream_t stream) {
  detail::require_dct_sizes(pixels.width(), pixels.height(), coefficients.width(), coefficients.height());
  const dim3 threads(8, 8), blocks(unsigned(coefficients.width() / 8), unsigned(coefficients.height() / 8));
  dct8x8_per_coefficient_kernel<<<blocks, threads, 0, stream>>>(
      pixels.data(), detail::pitch_in_elements(pixels), pixels.width(), pixels.height(), coefficients.data(),
      detail::pitch_in_elements(coefficients));
  check(cudaGetLastError());
}

void idct8x8_per_coefficient(device_plane_span<const float> coefficients, device_plane_span<float> pixels,
                             cudaStream_t stream) {
  detail::require_dct_sizes(pixels.width(), pixels.height(), coefficients.width(), coefficients.height());
  const dim3 threads(8, 8), blocks(unsigned(coefficients.width() / 8), unsigned(coefficients.height() / 8));
  idct8x8_per_coefficient_kernel<<<blocks, threads, 0, stream>>>(
      coefficients.data(), detail::pitch_in_elements(coefficients), pixels.data(),
      detail::pitch_in_elements(pixels), pixels.width(), pixels.height());
  check(cudaGetLastError());
}

kernel_facts dct8x8_per_coefficient_facts() { return facts_of(dct8x8_per_coefficient_kernel, 64); }

}  // namespace tutorial

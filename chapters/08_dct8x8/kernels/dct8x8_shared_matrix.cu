// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// A thread for each coefficient, with the matrix where different lanes may read different elements at once.
#include "08_dct8x8/host/dct_sizes.hpp"
#include "dct8x8_shared_matrix.hpp"
#include "dct_table.cuh"

namespace tutorial {
namespace {

__device__ dct_table matrix = make_dct_table();  // in global memory, and soon in every cache

// [kernel]
/// C = A X A^T. Thread (x, y) stages pixel X[y][x], and ends with coefficient C[v = y][u = x].
__global__ void __launch_bounds__(64)
    dct8x8_shared_matrix_kernel(const float* pixels, std::int64_t pixels_pitch, int width, int height,
                                float* coefficients, std::int64_t coefficients_pitch) {
  __shared__ float a[8][9];  // eight lanes read eight rows of it at once: they must begin in different banks
  __shared__ float pixel[8][8], half[8][8];
  const int x = threadIdx.x, y = threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;

  a[y][x] = matrix.a[y][x];
  pixel[y][x] = pixels[min(row, height - 1) * pixels_pitch + min(col, width - 1)];
  __syncthreads();  // the matrix and every pixel are staged before any thread adds up a column

  // half = A X
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 8; ++k) sum += a[y][k] * pixel[k][x];
  half[y][x] = sum;
  __syncthreads();  // half is written by all before any thread adds up a row of it

  // C = half A^T
  sum = 0;
#pragma unroll
  for (int k = 0; k < 8; ++k) sum += half[y][k] * a[x][k];
  coefficients[row * coefficients_pitch + col] = sum;
}
// [kernel]

/// X = A^T C A. Thread (x, y) stages coefficient C[y][x], and ends with pixel X[y][x].
__global__ void __launch_bounds__(64)
    idct8x8_shared_matrix_kernel(const float* coefficients, std::int64_t coefficients_pitch, float* pixels,
                                 std::int64_t pixels_pitch, int width, int height) {
  __shared__ float a[8][9], coefficient[8][8], half[8][8];
  const int x = threadIdx.x, y = threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;

  a[y][x] = matrix.a[y][x];
  coefficient[y][x] = coefficients[row * coefficients_pitch + col];
  __syncthreads();  // the matrix and every coefficient are staged before any thread adds up a column

  // half = A^T C
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 8; ++k) sum += a[k][y] * coefficient[k][x];
  half[y][x] = sum;
  __syncthreads();  // half is written by all before any thread adds up a row of it

  // X = half A, where there is a pixel
  if (row >= height || col >= width) return;
  sum = 0;
#pragma unroll
  for (int k = 0; k < 8; ++k) sum += half[y][k] * a[k][x];
  pixels[row * pixels_pitch + col] = sum;
}

}  // namespace

void dct8x8_shared_matrix(device_plane_span<const float> pixels, device_plane_span<float> coefficients,
                          cudaStream_t stream) {
  detail::require_dct_sizes(pixels.width(), pixels.height(), coefficients.width(), coefficients.height());
  const dim3 threads(8, 8), blocks(unsigned(coefficients.width() / 8), unsigned(coefficients.height() / 8));
  dct8x8_shared_matrix_kernel<<<blocks, threads, 0, stream>>>(
      pixels.data(), detail::pitch_in_elements(pixels), pixels.width(), pixels.height(), coefficients.data(),
      detail::pitch_in_elements(coefficients));
  check(cudaGetLastError());
}

void idct8x8_shared_matrix(device_plane_span<const float> coefficients, device_plane_span<float> pixels,
                           cudaStream_t stream) {
  detail::require_dct_sizes(pixels.width(), pixels.height(), coefficients.width(), coefficients.height());
  const dim3 threads(8, 8), blocks(unsigned(coefficients.width() / 8), unsigned(coefficients.height() / 8));
  idct8x8_shared_matrix_kernel<<<blocks, threads, 0, stream>>>(
      coefficients.data(), detail::pitch_in_elements(coefficients), pixels.data(),
      detail::pitch_in_elements(pixels), pixels.width(), pixels.height());
  check(cudaGetLastError());
}

kernel_facts dct8x8_shared_matrix_facts() { return facts_of(dct8x8_shared_matrix_kernel, 64); }

}  // namespace tutorial

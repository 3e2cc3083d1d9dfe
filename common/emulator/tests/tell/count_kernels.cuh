// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Kernels whose counts can be worked out by hand. Shared with the comparison with a GPU's own counters: no
// line in here knows on which device it runs.
#pragma once

#include <cuda_runtime.h>

#include <cstring>

namespace count_kernels {

template <class T>
__global__ void copy_kernel(const T* x, T* y, int offset, int stride, int size) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < size) y[i] = x[i * stride + offset];
}

__global__ void store_kernel(float* y, int offset, int stride) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  y[i * stride + offset] = 1;
}

/// 32 x 32 elements through a tile; `padding` elements more per row keep a column out of one bank.
template <class T, int padding>
__global__ void transpose_kernel(const T* x, T* y) {
  __shared__ T tile[32][32 + padding];
  tile[threadIdx.y][threadIdx.x] = x[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  y[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

/// Lane i uses word i * stride: as many passes as lanes meet in one bank.
template <class T>
__global__ void shared_stride_kernel(int stride, T* y) {
  extern __shared__ double raw[];
  T* tile = reinterpret_cast<T*>(raw);
  const int i = static_cast<int>(threadIdx.x);
  tile[i * stride] = static_cast<T>(i);
  __syncthreads();
  y[i] = tile[i * stride];
}

/// Groups of `group` lanes read the same word.
__global__ void broadcast_kernel(int group, int* y) {
  __shared__ int tile[32];
  const int i = static_cast<int>(threadIdx.x);
  tile[i] = i;
  __syncthreads();
  y[i] = tile[i / group];
}

/// Lanes n and n ^ step read the same double, all lanes together 16 that lie side by side.
__global__ void pairs_kernel(int step, double* y) {
  __shared__ double tile[32];
  const int i = static_cast<int>(threadIdx.x);
  tile[i] = i;
  __syncthreads();
  y[i] = tile[(i & (step - 1)) | (i >> 1 & ~(step - 1))];
}

__global__ void vector_shared_kernel(float4* y) {
  __shared__ float4 tile[32];
  const int i = static_cast<int>(threadIdx.x);
  tile[i] = make_float4(1, 2, 3, 4);
  __syncthreads();
  y[i] = tile[31 - i];
}

__global__ void increment_kernel(int* x) { x[blockIdx.x * blockDim.x + threadIdx.x] += 1; }

__global__ void memcpy_kernel(const float* x, float* y) {
  float4 four;
  memcpy(&four, x + 4 * threadIdx.x, sizeof four);
  float one = four.x + four.w;
  memcpy(y + threadIdx.x, &one, sizeof one);
}

__constant__ const float table[32] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                                      16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31};
/// Lanes in groups read the same element of a constant table.
__global__ void constant_kernel(int group, float* y) {
  const int i = static_cast<int>(threadIdx.x);
  y[i] = table[i % 32 / group];
}

/// Each lane goes round as often as its index says.
__global__ void ragged_kernel(const float* x, float* y) {
  const int i = static_cast<int>(threadIdx.x);
  float sum = 0;
  for (int k = 0; k <= i % 32; ++k) sum += x[k * 32 + i % 32];
  y[i] = sum;
}

/// Even and odd lanes go different ways.
__global__ void branch_kernel(const float* x, float* y) {
  const int i = static_cast<int>(threadIdx.x);
  if (i % 2 == 0)
    y[i] = x[i];
  else
    y[i] = x[i + 64] + 1;
}

}  // namespace count_kernels

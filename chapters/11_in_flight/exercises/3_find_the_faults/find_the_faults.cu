// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Exercise 3: two kernels with asynchronous copies. In one a wait is missing, in the other waits count the
// wrong stages.
#include "find_the_faults.hpp"

#include <cuda_pipeline.h>

#include <algorithm>

#include "common/device/check.hpp"

namespace tutorial {
namespace {

constexpr int threads_per_block = 256;

/// Begins to bring tile t: tile[j] = x[256 t - 1 + j], zero where there is no element.
__device__ void fetch(float* tile, const float* x, int size, int t) {
  for (int j = threadIdx.x; j <= threads_per_block; j += blockDim.x) {
    const int m = t * threads_per_block - 1 + j;
    if (0 <= m && m < size)
      __pipeline_memcpy_async(&tile[j], &x[m], sizeof(float));
    else
      tile[j] = 0.0f;
  }
}

// TODO: three faults: one in the first kernel, two in the second (about 23 lines)
/// y = x, each block's elements in reverse order.
__global__ void reverse_groups_kernel(const float* x, float* y, int size) {
  __shared__ float tile[threads_per_block];
  const int begin = blockIdx.x * threads_per_block, count = min(threads_per_block, size - begin);
  const int j = threadIdx.x;
  if (j < count) __pipeline_memcpy_async(&tile[j], &x[begin + j], sizeof(float));
  __pipeline_commit();
  __syncthreads();
  if (j < count) y[begin + j] = tile[count - 1 - j];
}
/// y[i] = x[i] - x[i - 1]. Block b computes the tiles b, b + gridDim.x, ...
__global__ void differences_kernel(const float* x, float* y, int size) {
  __shared__ float ring[2][threads_per_block + 1];
  const int tiles = (size + threads_per_block - 1) / threads_per_block;
  fetch(ring[0], x, size, blockIdx.x);
  __pipeline_commit();
  int slot = 0;
  for (int t = blockIdx.x; t < tiles; t += gridDim.x) {
    const int next = t + gridDim.x;
    if (next < tiles) {
      fetch(ring[1 - slot], x, size, next);
      __pipeline_commit();
    }
    __pipeline_wait_prior(1);  // tile t is there, the next one may be on its way
    __syncthreads();           // and the parts of the other threads
    const int i = t * threads_per_block + threadIdx.x;
    if (i < size) y[i] = ring[slot][threadIdx.x + 1] - ring[slot][threadIdx.x];
    slot = 1 - slot;
  }
}

int blocks_for(std::size_t size) {
  return static_cast<int>((size + threads_per_block - 1) / threads_per_block);
}

}  // namespace

void reverse_groups(device_span<const float> x, device_span<float> y) {
  reverse_groups_kernel<<<blocks_for(x.size()), threads_per_block>>>(x.data(), y.data(),
                                                                     static_cast<int>(x.size()));
  check(cudaGetLastError());
}

void differences(device_span<const float> x, device_span<float> y) {
  // Two blocks, so that each takes several tiles.
  differences_kernel<<<std::min(2, blocks_for(x.size())), threads_per_block>>>(x.data(), y.data(),
                                                                               static_cast<int>(x.size()));
  check(cudaGetLastError());
}

}  // namespace tutorial

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Exercise 5: a halo that needs more shared memory than a launch has unasked.
#include "wide_window.hpp"

#include <stdexcept>

#include "05_shared_memory/dynamic_shared.hpp"
#include "common/device/check.hpp"

namespace tutorial {
namespace {

constexpr int threads_per_block = 256;

/// y[i] = x[i - radius] + ... + x[i + radius], one thread per output.
__global__ void window_sums_kernel(const float* x, float* y, int size, int radius) {
  extern __shared__ float tile[];  // [0, threads_per_block + 2 radius)
  const int block_begin = blockIdx.x * blockDim.x, tile_begin = block_begin - radius;
  // tile[j] == x[tile_begin + j], zero where there is no such sample
  for (int j = threadIdx.x; j < threads_per_block + 2 * radius; j += threads_per_block) {
    const int m = tile_begin + j;
    tile[j] = 0 <= m && m < size ? x[m] : 0.0f;
  }
  __syncthreads();  // the tile is written before it is read

  const int i = block_begin + threadIdx.x;
  if (i >= size) return;
  float sum = 0;
  for (int m = i - radius; m <= i + radius; ++m) sum += tile[m - tile_begin];
  y[i] = sum;
}

}  // namespace

void window_sums(device_span<const float> x, device_span<float> y, std::size_t radius) {
  const int size = static_cast<int>(x.size());
  const int blocks = (size + threads_per_block - 1) / threads_per_block;
  const std::size_t bytes = (threads_per_block + 2 * radius) * sizeof(float);
  // SOLUTION: refuse what no block may have, and ask for what is more than 48 KiB (about 5 lines)
  if (bytes > limits_of_shared_memory().asked) throw std::invalid_argument("window_sums: too wide a window");
  if (bytes > limits_of_shared_memory().unasked)
    check(cudaFuncSetAttribute(window_sums_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(bytes)));
  // END SOLUTION
  window_sums_kernel<<<blocks, threads_per_block, bytes>>>(x.data(), y.data(), size,
                                                           static_cast<int>(radius));
  check(cudaGetLastError());
}

}  // namespace tutorial

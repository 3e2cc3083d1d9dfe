// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Exercise 1: the largest of the last samples, from a tile and its halo in shared memory.
#include "hold_peaks.hpp"

#include <cmath>

#include "common/device/check.hpp"

namespace tutorial {
namespace {

constexpr int threads_per_block = 128;

/// y[i] = the largest of x[i - (held - 1)], ..., x[i], one thread per output.
__global__ void hold_peaks_kernel(const float* x, float* y, int size) {
  __shared__ float tile[threads_per_block + held - 1];
  const int block_begin = blockIdx.x * blockDim.x, tile_begin = block_begin - (held - 1);
  const int i = block_begin + threadIdx.x;
  // SOLUTION: tile[j] == x[tile_begin + j] for all of the tile, then the largest held (about 9 lines)
  // STARTER: tile[i - tile_begin] = i < size ? x[i] : 0.0f;  // the block's own samples, without the halo
  // STARTER: if (i < size) y[i] = tile[i - tile_begin];
  for (int j = threadIdx.x; j < threads_per_block + held - 1; j += threads_per_block) {
    const int m = tile_begin + j;
    tile[j] = 0 <= m && m < size ? x[m] : -INFINITY;  // a ghost must not win, whatever the samples are
  }
  __syncthreads();        // the tile is complete
  if (i >= size) return;  // not before the barrier: spare threads have staged, too
  float peak = -INFINITY;
  for (int m = i - (held - 1); m <= i; ++m) peak = fmaxf(peak, tile[m - tile_begin]);
  y[i] = peak;
  // END SOLUTION
}

}  // namespace

void hold_peaks(device_span<const float> x, device_span<float> y) {
  const int size = static_cast<int>(x.size());
  const int blocks = (size + threads_per_block - 1) / threads_per_block;
  hold_peaks_kernel<<<blocks, threads_per_block>>>(x.data(), y.data(), size);
  check(cudaGetLastError());
}

}  // namespace tutorial

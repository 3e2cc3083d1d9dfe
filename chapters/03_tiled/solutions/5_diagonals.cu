// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Exercise 5: the sums of a diagonal meet in a register, not in memory.

#include "diagonals.hpp"

#include "common/device/check.hpp"

namespace tutorial {
namespace {

constexpr int threads_per_block = 128;
constexpr int rows_per_block = threads_per_block / 32;
constexpr unsigned all_lanes = 0xffffffff;

/// values[i], or zero where i is a ghost.
__device__ float value_or_zero(const float* values, int size, int i) {
  return 0 <= i && i < size ? values[i] : 0;
}

/// y[32 row + lane] = sum over k of h[k] x[32 row + lane - k], one warp per row of 32 outputs.
__global__ void convolve_diagonals_kernel(const float* x, int samples, const float* h, int taps, float* y,
                                          int outputs) {
  const int lane = threadIdx.x % 32;
  const int row = blockIdx.x * rows_per_block + threadIdx.x / 32;
  if (row * 32 >= outputs) return;

  const int n = row * 32 + lane;
  float sum = 0;
  float tile = value_or_zero(x, samples, n);  // the lane's sample of tile ia == row - ib
  for (int ib = 0; ib * 32 < taps; ++ib) {
    const float tap = value_or_zero(h, taps, ib * 32 + lane);
    const float tile_before = value_or_zero(x, samples, n - (ib + 1) * 32);  // of tile ia - 1
    for (int j = 0; j < 32; ++j) {
      const float tap_j = __shfl_sync(all_lanes, tap, j);
      // SOLUTION: x[32 ia + lane - j]: in this tile, or in the tile before (about 2 lines)
      // STARTER: const float sample = __shfl_sync(all_lanes, tile, (lane - j) & 31);  // always in this tile
      const float offered = lane + j < 32 ? tile : tile_before;  // to lane + j, or round the corner
      const float sample = __shfl_sync(all_lanes, offered, (lane - j) & 31);
      // END SOLUTION
      sum += tap_j * sample;
    }
    tile = tile_before;
  }
  if (n < outputs) y[n] = sum;
}

}  // namespace

void convolve_diagonals(device_span<const float> x, device_span<const float> h, device_span<float> y) {
  const int outputs = static_cast<int>(y.size());
  const int rows = (outputs + 31) / 32;
  const int blocks = (rows + rows_per_block - 1) / rows_per_block;
  convolve_diagonals_kernel<<<blocks, threads_per_block>>>(x.data(), static_cast<int>(x.size()), h.data(),
                                                           static_cast<int>(h.size()), y.data(), outputs);
  check(cudaGetLastError());
}

}  // namespace tutorial

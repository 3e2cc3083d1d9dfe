// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Exercise 4: the energy that is still to come, one warp per signal, with three faults.

#include "find_the_faults.hpp"

#include "common/device/check.hpp"

namespace tutorial {
namespace {

constexpr int threads_per_block = 128;
constexpr int rows_per_block = threads_per_block / 32;
constexpr unsigned all_lanes = 0xffffffff;

/// y[row * width + i] = sum of x[row * width + j]^2 over i <= j < width, one warp per row: 32 samples at a
/// time, the last ones first.
__global__ void remaining_energy_kernel(const float* x, int rows, int width, float* y) {
  const int lane = threadIdx.x % 32;
  const int row = blockIdx.x * rows_per_block + threadIdx.x / 32;
  if (row >= rows) return;

  // SOLUTION: three faults are in the rest of this kernel (about 13 lines)
  // STARTER: float carry = 0;  // the energy of all samples from begin + 32 on
  // STARTER: for (int begin = (width - 1) / 32 * 32; begin >= 0; begin -= 32) {
  // STARTER:   const int i = begin + lane;
  // STARTER:   if (i >= width) return;
  // STARTER:   const float sample = x[row * width + i];
  // STARTER:   float energy = sample * sample;
  // STARTER:   // After each step: the energy of 2, 4, 8, 16, 32 samples from i on, as far as the tile has them.
  // STARTER:   for (int distance = 1; distance < 32; distance *= 2)
  // STARTER:     energy += __shfl_down_sync(all_lanes, energy, distance);
  // STARTER:   energy += carry;
  // STARTER:   y[row * width + i] = energy;
  // STARTER:   carry = energy;
  // STARTER: }
  float carry = 0;  // the energy of all samples from begin + 32 on
  for (int begin = (width - 1) / 32 * 32; begin >= 0; begin -= 32) {
    const int i = begin + lane;
    // A lane without a sample stays: others ask it, and in the next round it has one.
    const float sample = i < width ? x[row * width + i] : 0;
    float energy = sample * sample;
    // After each step: the energy of 2, 4, 8, 16, 32 samples from i on, as far as the tile has them.
    for (int distance = 1; distance < 32; distance *= 2) {
      const float behind = __shfl_down_sync(all_lanes, energy, distance);
      if (lane + distance < 32) energy += behind;  // a lane that asks beyond lane 31 gets its own value back
    }
    energy += carry;
    if (i < width) y[row * width + i] = energy;
    carry = __shfl_sync(all_lanes, energy, 0);  // lane 0 has added up the whole tile
  }
  // END SOLUTION
}

}  // namespace

void remaining_energy(device_span<const float> x, int width, device_span<float> y) {
  const int rows = static_cast<int>(x.size()) / width;
  const int blocks = (rows + rows_per_block - 1) / rows_per_block;
  remaining_energy_kernel<<<blocks, threads_per_block>>>(x.data(), rows, width, y.data());
  check(cudaGetLastError());
}

}  // namespace tutorial

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Exercise 2: the largest sample of each signal, and where it is: one warp per signal.

#include "peaks.hpp"

#include <cmath>

#include "common/device/check.hpp"

namespace tutorial {
namespace {

constexpr int threads_per_block = 128;
constexpr int rows_per_block = threads_per_block / 32;
constexpr unsigned all_lanes = 0xffffffff;

/// peaks[row] = the first i for which signals[row * width + i] is largest, one warp per row.
__global__ void find_peaks_kernel(const float* signals, int rows, int width, std::int32_t* peaks) {
  const int lane = threadIdx.x % 32;
  const int row = blockIdx.x * rows_per_block + threadIdx.x / 32;
  if (row >= rows) return;

  float largest = -INFINITY;  // no sample yet: lanes beyond the end of a short signal keep this
  int at = width;
  for (int i = lane; i < width; i += 32) {
    const float value = signals[row * width + i];
    if (value > largest) largest = value, at = i;
  }
  // SOLUTION: lane 0 learns the best of all 32 lanes: which value, and where (about 8 lines)
  // STARTER: for (int distance = 16; distance > 0; distance /= 2)
  // STARTER:   largest = fmaxf(largest, __shfl_down_sync(all_lanes, largest, distance));  // but where?
  for (int distance = 16; distance > 0; distance /= 2) {
    const float other = __shfl_down_sync(all_lanes, largest, distance);
    const int other_at = __shfl_down_sync(all_lanes, at, distance);
    if (other > largest || (other == largest && other_at < at)) {
      largest = other;
      at = other_at;
    }
  }
  // END SOLUTION
  if (lane == 0) peaks[row] = at;
}

}  // namespace

void find_peaks(device_span<const float> signals, device_span<std::int32_t> peaks) {
  const int rows = static_cast<int>(peaks.size());
  const int width = static_cast<int>(signals.size() / peaks.size());
  const int blocks = (rows + rows_per_block - 1) / rows_per_block;
  find_peaks_kernel<<<blocks, threads_per_block>>>(signals.data(), rows, width, peaks.data());
  check(cudaGetLastError());
}

}  // namespace tutorial

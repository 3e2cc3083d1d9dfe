// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Exercise 1: the mean of each signal is taken from its samples, one warp per signal.

#include "without_mean.hpp"

#include "common/device/check.hpp"

namespace tutorial {
namespace {

constexpr int threads_per_block = 128;
constexpr int rows_per_block = threads_per_block / 32;
constexpr unsigned all_lanes = 0xffffffff;

/// y[row * width + i] = x[row * width + i] - mean of the row, one warp per row.
__global__ void remove_means_kernel(const float* x, int rows, int width, float* y) {
  const int lane = threadIdx.x % 32;
  const int row = blockIdx.x * rows_per_block + threadIdx.x / 32;
  if (row >= rows) return;  // whole warps return: a warp that shuffles is complete

  float sum = 0;  // of the lane's own samples; a lane without any has the sum 0
  for (int i = lane; i < width; i += 32) sum += x[row * width + i];
  // SOLUTION: what each of the 32 lanes has to know, and what it does with it (about 5 lines)
  // STARTER: const float mean = sum / width;  // the lane knows its own samples only
  // STARTER: for (int i = lane; i < width; i += 32) y[row * width + i] = x[row * width + i] - mean;
  for (int distance = 16; distance > 0; distance /= 2)
    sum += __shfl_down_sync(all_lanes, sum, distance);  // whole in lane 0 only
  const float mean = __shfl_sync(all_lanes, sum, 0) / width;
  for (int i = lane; i < width; i += 32) y[row * width + i] = x[row * width + i] - mean;
  // END SOLUTION
}

}  // namespace

void remove_means(device_span<const float> x, int width, device_span<float> y) {
  const int rows = static_cast<int>(x.size()) / width;
  const int blocks = (rows + rows_per_block - 1) / rows_per_block;
  remove_means_kernel<<<blocks, threads_per_block>>>(x.data(), rows, width, y.data());
  check(cudaGetLastError());
}

}  // namespace tutorial

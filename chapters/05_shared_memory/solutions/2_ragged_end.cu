// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Exercise 2: the mean of five from shared memory.
#include "ragged_end.hpp"

#include "common/device/check.hpp"

namespace tutorial {
namespace {

constexpr int threads_per_block = 512, radius = 2;

/// y[i] = mean of x[i - 2] ... x[i + 2], one thread per output.
__global__ void mean_of_five_staged_kernel(const double* x, double* y, int size) {
  __shared__ double tile[threads_per_block + 2 * radius];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int own = threadIdx.x + radius;  // tile[own + d] == x[i + d]

  // SOLUTION: three faults from here to the end of the kernel (about 8 lines)
  // STARTER: // the sample of each thread, and both halos by the threads at the ends of the block
  // STARTER: tile[own] = x[i];
  // STARTER: __syncthreads();
  // STARTER: if (own < 2 * radius) tile[own - radius] = i >= radius ? x[i - radius] : 0.0;
  // STARTER: if (own >= threads_per_block) tile[own + radius] = i + radius < size ? x[i + radius] : 0.0;
  // STARTER: double sum = 0;
  // STARTER: for (int d = -radius; d <= radius; ++d) sum += tile[own + d];
  // STARTER: y[i] = sum / 5;
  const auto sample_or_ghost = [=](int m) { return 0 <= m && m < size ? x[m] : 0.0; };
  tile[own] = sample_or_ghost(i);  // spare threads bring ghosts: that is the right halo of a ragged end
  if (own < 2 * radius) tile[own - radius] = sample_or_ghost(i - radius);
  if (own >= threads_per_block) tile[own + radius] = sample_or_ghost(i + radius);
  __syncthreads();  // the tile is complete

  double sum = 0;
  for (int d = -radius; d <= radius; ++d) sum += tile[own + d];
  if (i < size) y[i] = sum / 5;
  // END SOLUTION
}

}  // namespace

void mean_of_five_staged(device_span<const double> x, device_span<double> y) {
  const int size = static_cast<int>(x.size());
  const int blocks = (size + threads_per_block - 1) / threads_per_block;
  mean_of_five_staged_kernel<<<blocks, threads_per_block>>>(x.data(), y.data(), size);
  check(cudaGetLastError());
}

}  // namespace tutorial

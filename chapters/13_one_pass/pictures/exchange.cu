// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Half a warp takes numbers that are 16 apart, without padding and with one place in 17 left free. Run with
// a trace, it becomes the pictures of this folder (docs/write/redraw).
#include "13_one_pass/kernels/exchange.cuh"

#include "common/device/check.hpp"

namespace {

using namespace tutorial;

/// The first of the 16 numbers that each lane takes.
template <int Run>
__global__ void take_kernel() {
  __shared__ float2 numbers[padded_place<Run>(256)];
  for (int k = 0; k < 16; ++k) numbers[padded_place<Run>(threadIdx.x + 16 * k)] = {0, 0};
  __syncthreads();  // the picture begins here
  const float2 taken = numbers[padded_place<Run>(16 * threadIdx.x)];
  if (taken.x > 0) __trap();  // so that it is read
}

}  // namespace

int main() {
  take_kernel<0><<<1, 16>>>();
  take_kernel<16><<<1, 16>>>();
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
}

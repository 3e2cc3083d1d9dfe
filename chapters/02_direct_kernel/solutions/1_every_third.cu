// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Exercise 1: a filter of which only every third output is wanted.

#include "every_third.hpp"

#include "common/device/ceil_div.hpp"
#include "common/device/check.hpp"

namespace tutorial {
namespace {

constexpr int threads_per_block = 256;

/// y[i] = sum over k of h[k] x[step i - k]
__global__ void filter_and_thin_out_kernel(const float* x, int samples, const float* h, int taps, int step,
                                           float* y, int outputs) {
  // SOLUTION: a thread, its output, its sum (about 9 lines)
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= outputs) return;

  const int n = step * i;  // the outputs between are not computed
  float sum = 0;
  for (int k = 0; k < taps; ++k) {
    const int m = n - k;
    if (0 <= m && m < samples) sum += h[k] * x[m];
  }
  y[i] = sum;
  // END SOLUTION
}

}  // namespace

void filter_and_thin_out(device_span<const float> x, device_span<const float> h, int step,
                         device_span<float> y) {
  const int outputs = static_cast<int>(y.size());
  // SOLUTION: how many blocks? (about 1 line)
  // STARTER: const int blocks = 1;
  const int blocks = (outputs + threads_per_block - 1) / threads_per_block;
  // END SOLUTION
  filter_and_thin_out_kernel<<<blocks, threads_per_block>>>(
      x.data(), static_cast<int>(x.size()), h.data(), static_cast<int>(h.size()), step, y.data(), outputs);
  check(cudaGetLastError());
}

}  // namespace tutorial

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Exercise 4: eight outputs per thread, without the strides.

#include "coalesced.hpp"

#include "common/device/check.hpp"

namespace tutorial {
namespace {

constexpr int threads_per_block = 256;
constexpr int outputs_per_thread = 8;

/// y[n] = sum over k of h[k] x[n - k], outputs_per_thread outputs per thread.
__global__ void convolve_eight_kernel(const float* x, int samples, const float* h, int taps, float* y,
                                      int outputs) {
  const int block_begin = blockIdx.x * blockDim.x * outputs_per_thread;  // the block's first output
  for (int j = 0; j < outputs_per_thread; ++j) {
    // SOLUTION: my j-th output, such that my neighbor's j-th output lies beside it (about 1 line)
    // STARTER: const int n = block_begin + threadIdx.x;  // the same one in every round
    const int n = block_begin + j * blockDim.x + threadIdx.x;
    // END SOLUTION
    if (n >= outputs) return;
    float sum = 0;
    for (int k = 0; k < taps; ++k)
      if (0 <= n - k && n - k < samples) sum += h[k] * x[n - k];
    y[n] = sum;
  }
}

}  // namespace

void convolve_eight(device_span<const float> x, device_span<const float> h, device_span<float> y) {
  constexpr int outputs_per_block = threads_per_block * outputs_per_thread;
  const int outputs = static_cast<int>(y.size());
  const int blocks = (outputs + outputs_per_block - 1) / outputs_per_block;
  convolve_eight_kernel<<<blocks, threads_per_block>>>(x.data(), static_cast<int>(x.size()), h.data(),
                                                       static_cast<int>(h.size()), y.data(), outputs);
  check(cudaGetLastError());
}

}  // namespace tutorial

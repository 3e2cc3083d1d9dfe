// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Exercise 1: four neighboring outputs per thread, from a window of four samples in registers.

#include "sliding_window.hpp"

#include "common/device/check.hpp"

namespace tutorial {
namespace {

constexpr int threads_per_block = 128;
constexpr int outputs_per_thread = 4;

/// A sample that does not exist is zero.
__device__ float sample(const float* x, int samples, int m) { return 0 <= m && m < samples ? x[m] : 0.0f; }

/// y[n] = sum over k of h[k] x[n - k], four neighboring outputs per thread.
__global__ void convolve_four_kernel(const float* x, int samples, const float* h, int taps, float* y,
                                     int outputs) {
  const int n = (blockIdx.x * blockDim.x + threadIdx.x) * outputs_per_thread;  // my first output
  if (n >= outputs) return;
  float sum[outputs_per_thread] = {};
  float window[outputs_per_thread];  // window[r] = x[n + r - k]
  for (int r = 0; r < outputs_per_thread; ++r) window[r] = sample(x, samples, n + r);
  for (int k = 0; k < taps; ++k) {
    const float tap = h[k];
    for (int r = 0; r < outputs_per_thread; ++r) sum[r] += tap * window[r];
    // SOLUTION: one load makes window[r] == x[n + r - k] for the next k, if any (about 2 lines)
    for (int r = outputs_per_thread - 1; r > 0; --r) window[r] = window[r - 1];
    if (k + 1 < taps) window[0] = sample(x, samples, n - k - 1);
    // END SOLUTION
  }
  for (int r = 0; r < outputs_per_thread; ++r)
    if (n + r < outputs) y[n + r] = sum[r];
}

}  // namespace

void convolve_four(device_span<const float> x, device_span<const float> h, device_span<float> y) {
  constexpr int outputs_per_block = threads_per_block * outputs_per_thread;
  const int outputs = static_cast<int>(y.size());
  const int blocks = (outputs + outputs_per_block - 1) / outputs_per_block;
  convolve_four_kernel<<<blocks, threads_per_block>>>(x.data(), static_cast<int>(x.size()), h.data(),
                                                      static_cast<int>(h.size()), y.data(), outputs);
  check(cudaGetLastError());
}

}  // namespace tutorial

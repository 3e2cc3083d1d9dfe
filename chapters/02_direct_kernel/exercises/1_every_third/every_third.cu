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
  // TODO: a thread, its output, its sum (about 9 lines)
}

}  // namespace

void filter_and_thin_out(device_span<const float> x, device_span<const float> h, int step,
                         device_span<float> y) {
  const int outputs = static_cast<int>(y.size());
  // TODO: how many blocks? (about 1 line)
  const int blocks = 1;
  filter_and_thin_out_kernel<<<blocks, threads_per_block>>>(
      x.data(), static_cast<int>(x.size()), h.data(), static_cast<int>(h.size()), step, y.data(), outputs);
  check(cudaGetLastError());
}

}  // namespace tutorial

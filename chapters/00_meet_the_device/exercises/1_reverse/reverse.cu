// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Exercise 1: copy an array backwards.

#include "reverse.hpp"

#include "common/device/check.hpp"

namespace tutorial {
namespace {

constexpr int threads_per_block = 256;

/// y[i] = x[size - 1 - i], one thread per element.
__global__ void reverse_kernel(const float* x, float* y, int size) {
  // TODO: this thread's index; return if there is no such element; write y[i] (about 3 lines)
}

}  // namespace

void reverse(device_span<const float> x, device_span<float> y) {
  const int size = static_cast<int>(x.size());
  // TODO: enough blocks for every element, also if size is not a multiple of 256 (about 1 line)
  const int blocks = 1;
  reverse_kernel<<<blocks, threads_per_block>>>(x.data(), y.data(), size);
  check(cudaGetLastError());
}

}  // namespace tutorial

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Exercise 3: two recordings go to the device, are mixed there, and come back, with three faults.

#include "find_the_faults.hpp"

#include <memory>

#include "common/device/check.hpp"

namespace tutorial {
namespace {

struct free_on_device {
  void operator()(float* memory) const { cudaFree(memory); }
};
using device_memory = std::unique_ptr<float, free_on_device>;

/// `bytes` of device memory, in which nothing has been written yet; freed when it goes out of scope.
device_memory allocate(std::size_t bytes) {
  void* memory = nullptr;
  check(cudaMalloc(&memory, bytes));
  return device_memory(static_cast<float*>(memory));
}

/// y[i] = a[i] + gain * b[i], one thread per element.
__global__ void mix_kernel(const float* a, const float* b, float gain, float* y, int size) {
  // TODO: is every line right? (about 3 lines)
  const int i = blockIdx.x * gridDim.x + threadIdx.x;
  if (i >= size) return;
  y[i] = a[i] + gain * b[i];
}

}  // namespace

void mix(std::span<const float> a, std::span<const float> b, float gain, std::span<float> y) {
  // TODO: and here, is every line right? (about 10 lines)
  const int size = static_cast<int>(y.size());
  const std::size_t bytes = y.size_bytes();
  const device_memory d_a = allocate(bytes), d_b = allocate(bytes), d_y = allocate(bytes);
  check(cudaMemcpy(d_a.get(), a.data(), bytes, cudaMemcpyHostToDevice));
  check(cudaMemcpy(d_b.get(), b.data(), bytes, cudaMemcpyHostToDevice));
  const int threads_per_block = 2048;
  const int blocks = (size + threads_per_block - 1) / threads_per_block;
  mix_kernel<<<blocks, threads_per_block>>>(d_a.get(), b.data(), gain, d_y.get(), size);
  check(cudaMemcpy(y.data(), d_y.get(), bytes, cudaMemcpyDeviceToHost));
}

}  // namespace tutorial

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The smallest useful kernel: one thread copies one element.
#include <stdexcept>

#include "common/device/check.hpp"
#include "copies.hpp"

namespace tutorial {
namespace {

constexpr int threads_per_block = 256;

// [kernel]
/// y[i] = x[i], one thread per element.
__global__ void copy_elements_kernel(const float* __restrict__ x, float* __restrict__ y, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;  // which element is mine
  if (i >= size) return;                                // the last block may have more threads than elements
  y[i] = x[i];
}
// [kernel]

}  // namespace

// [wrapper]
void copy_elements(device_span<const float> x, device_span<float> y) {
  if (x.size() != y.size()) throw std::invalid_argument("copy_elements: lengths differ");
  if (x.size() > 2147483647u - threads_per_block)
    throw std::invalid_argument("copy_elements: too long for an int");
  if (x.empty()) return;
  const int size = static_cast<int>(x.size());
  // Rounded up, so that every element has a thread.
  const int blocks = (size + threads_per_block - 1) / threads_per_block;
  copy_elements_kernel<<<blocks, threads_per_block>>>(x.data(), y.data(), size);
  check(cudaGetLastError());
}
// [wrapper]

}  // namespace tutorial

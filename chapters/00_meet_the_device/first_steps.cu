// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Kernels that answer, print and fail.
#undef NDEBUG  // an assert() is to fail here, also in a build that leaves them out
#include <cassert>
#include <cstdio>

#include "common/device/check.hpp"
#include "common/device/device_memory.hpp"
#include "first_steps.hpp"

namespace tutorial {
namespace {

// [owners]
/// owner[i] = who I am, one thread per element.
__global__ void owners_kernel(owner* result, int elements) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= elements) return;
  result[i].block = blockIdx.x;
  result[i].thread = threadIdx.x;
}
// [owners]

// [greet]
/// Each thread prints one line.
__global__ void greet_kernel() {
  printf("  thread %d of %d says hello\n", int(threadIdx.x), int(blockDim.x));
}
// [greet]

/// Does nothing: for try_launch().
__global__ void nothing_kernel() {}

// [assert]
/// Thread 2 violates the assert().
__global__ void failing_assert_kernel() { assert(threadIdx.x != 2); }
// [assert]

}  // namespace

std::vector<owner> owners(int elements, int threads_per_block) {
  device_buffer<int> memory(2 * static_cast<std::size_t>(elements));
  auto* result = reinterpret_cast<owner*>(memory.data());
  const int blocks = (elements + threads_per_block - 1) / threads_per_block;
  owners_kernel<<<blocks, threads_per_block>>>(result, elements);
  check(cudaGetLastError());
  std::vector<owner> host(static_cast<std::size_t>(elements));
  check(cudaMemcpy(host.data(), result, host.size() * sizeof(owner), cudaMemcpyDeviceToHost));
  return host;
}

void greet(int threads) {
  std::fflush(stdout);  // what the host printed so far comes first
  greet_kernel<<<1, threads>>>();
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());  // the device's lines are handed over here
  std::fflush(stdout);
}

cudaError_t try_launch(dim3 grid, dim3 block, std::size_t shared_bytes) {
  nothing_kernel<<<grid, block, shared_bytes>>>();
  return cudaGetLastError();
}

cudaError_t launch_failing_assert() {
  failing_assert_kernel<<<1, 4>>>();
  return cudaGetLastError();
}

}  // namespace tutorial

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Dynamic shared memory: its size is an argument of the launch. What is beyond 48 KiB has to be asked for.
#include "common/device/check.hpp"
#include "common/device/device.hpp"
#include "common/device/device_attribute.hpp"
#include "dynamic_shared.hpp"

namespace tutorial {
namespace {

/// Two kernels from one template, because what is asked for holds for one kernel: the other keeps the usual
/// limit.
template <bool Asked>
__global__ void fill_shared_kernel(int words, unsigned value) {
  extern __shared__ volatile unsigned memory[];  // [0, words); volatile: written although never read
  for (int w = threadIdx.x; w < words; w += blockDim.x) memory[w] = value;
}

template <bool Asked>
cudaError_t launch(int blocks, std::size_t bytes, unsigned value) {
  fill_shared_kernel<Asked><<<blocks, 256, bytes>>>(static_cast<int>(bytes / sizeof(unsigned)), value);
  const cudaError_t status = cudaGetLastError();
  check(cudaDeviceSynchronize());
  return status;
}

}  // namespace

shared_memory_limits limits_of_shared_memory() {
  return {static_cast<std::size_t>(device_attribute(cudaDevAttrMaxSharedMemoryPerBlock)),
          static_cast<std::size_t>(device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin))};
}

cudaError_t use_shared_memory(std::size_t bytes) { return launch<false>(1, bytes, 0); }

// [ask]
cudaError_t ask_and_use_shared_memory(std::size_t bytes) {
  const cudaError_t answer = cudaFuncSetAttribute(
      fill_shared_kernel<true>, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
  if (answer != cudaSuccess) {
    (void)cudaGetLastError();  // it is returned: the next check must not report it
    return answer;
  }
  return launch<true>(1, bytes, 0);
}
// [ask]

void poison_shared_memory() {
  // The emulated device does so itself when a block begins, and knows what no thread has written.
  if (current_device().emulated) return;
  const unseen_launches ours;
  const std::size_t most = limits_of_shared_memory().asked;
  check(ask_and_use_shared_memory(most));
  // Each block takes all the shared memory of a multiprocessor: one for each of them.
  check(launch<true>(device_attribute(cudaDevAttrMultiProcessorCount), most, 0xFFFFFFFFu));
}

}  // namespace tutorial

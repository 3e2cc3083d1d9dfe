// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The runtime's functions about kernels: their attributes, how many blocks fit, what a launch may ask for.
#include <algorithm>
#include <cstdio>
#include <string>

#include "device/device_limits.hpp"
#include "device/errors.hpp"
#include "emulator/runtime/runtime_kernels.hpp"

namespace cuda_emulator {

cudaError_t set_function_attribute(const kernel_record* kernel, cudaFuncAttribute attribute, int value) {
  if (const cudaError_t error = stuck(); error != cudaSuccess) return error;
  if (kernel == nullptr) return remember(cudaErrorInvalidDeviceFunction);
  switch (attribute) {
    case cudaFuncAttributeMaxDynamicSharedMemorySize:
      if (value < 0 || value + kernel->static_shared > limits::shared_per_block_optin)
        return remember(cudaErrorInvalidValue,
                        std::to_string(value) +
                            " bytes of shared memory were asked for, and a block of this kernel may have " +
                            std::to_string(limits::shared_per_block_optin - kernel->static_shared));
      kernel->max_dynamic_shared = value;
      return cudaSuccess;
    case cudaFuncAttributePreferredSharedMemoryCarveout:
      if (value < -1 || value > 100) return remember(cudaErrorInvalidValue);
      kernel->preferred_carveout = value;
      return cudaSuccess;
  }
  return remember(cudaErrorInvalidValue);
}

cudaError_t get_function_attributes(cudaFuncAttributes* attributes, const kernel_record* kernel) {
  if (const cudaError_t error = stuck(); error != cudaSuccess) return error;
  if (kernel == nullptr) return remember(cudaErrorInvalidDeviceFunction);
  *attributes = {};
  attributes->sharedSizeBytes = kernel->static_shared;
  attributes->maxThreadsPerBlock = kernel->max_threads_per_block != 0
                                       ? kernel->max_threads_per_block
                                       : static_cast<int>(limits::threads_per_block);
  attributes->ptxVersion = attributes->binaryVersion =
      limits::capability_major * 10 + limits::capability_minor;
  attributes->maxDynamicSharedSizeBytes = kernel->max_dynamic_shared;
  attributes->preferredShmemCarveout = kernel->preferred_carveout;
  return cudaSuccess;
}

cudaError_t best_block_size(int* grid_size, int* block_size, const kernel_record* kernel,
                            std::size_t (*shared_of)(const void* context, int block_size),
                            const void* context, int limit) {
  if (kernel == nullptr) return remember(cudaErrorInvalidDeviceFunction);
  if (grid_size == nullptr || block_size == nullptr) return remember(cudaErrorInvalidValue);
  int most = kernel->max_threads_per_block != 0 ? kernel->max_threads_per_block
                                                : static_cast<int>(limits::threads_per_block);
  if (limit > 0) most = std::min(most, limit);
  int best_threads = -1;
  for (int size = (most + 31) / 32 * 32; size >= 32; size -= 32) {
    const int threads = std::min(size, most);
    int blocks = 0;
    const cudaError_t error =
        blocks_per_multiprocessor(&blocks, kernel, threads, shared_of(context, threads));
    if (error != cudaSuccess) return error;
    if (blocks * threads > best_threads) {
      best_threads = blocks * threads;
      *block_size = threads;
      *grid_size = blocks * limits::multiprocessors;
    }
  }
  return cudaSuccess;
}

cudaError_t shared_for_blocks(std::size_t* dynamic_shared, const kernel_record* kernel, int blocks,
                              int block_size) {
  if (kernel == nullptr) return remember(cudaErrorInvalidDeviceFunction);
  int most = 0;
  if (const cudaError_t error = blocks_per_multiprocessor(&most, kernel, block_size, 0); error != cudaSuccess)
    return error;
  if (dynamic_shared == nullptr || blocks < 1 || blocks > most) return remember(cudaErrorInvalidValue);
  // As blocks_per_multiprocessor() counts it: pieces of 128 bytes, and what the system reserves for each
  // block.
  const std::size_t each = limits::shared_per_multiprocessor / static_cast<std::size_t>(blocks) / 128 * 128;
  const std::size_t taken = limits::reserved_shared_per_block + kernel->static_shared;
  *dynamic_shared =
      std::min(each > taken ? each - taken : 0, limits::shared_per_block_optin - kernel->static_shared);
  return cudaSuccess;
}

bool is_cooperative(const cudaLaunchConfig_t& configuration) {
  for (unsigned i = 0; i < configuration.numAttrs; ++i)
    if (configuration.attrs[i].id == cudaLaunchAttributeCooperative &&
        configuration.attrs[i].val.cooperative != 0)
      return true;
  return false;
}

cudaError_t check_launch_attributes(const cudaLaunchConfig_t& configuration) {
  for (unsigned i = 0; i < configuration.numAttrs; ++i) {
    const cudaLaunchAttribute& attribute = configuration.attrs[i];
    const auto& value = attribute.val;
    const bool harmless = attribute.id == cudaLaunchAttributeIgnore ||
                          attribute.id == cudaLaunchAttributePriority ||
                          attribute.id == cudaLaunchAttributeAccessPolicyWindow ||
                          attribute.id == cudaLaunchAttributeProgrammaticStreamSerialization ||
                          attribute.id == cudaLaunchAttributeCooperative ||
                          (attribute.id == cudaLaunchAttributeClusterDimension && value.clusterDim.x == 1 &&
                           value.clusterDim.y == 1 && value.clusterDim.z == 1);
    if (harmless) continue;
    std::fprintf(stderr,
                 "cudaLaunchKernelEx(): attribute %d (cudaLaunchAttributeID) is not emulated; there are no "
                 "clusters here.\n",
                 static_cast<int>(attribute.id));
    return remember(cudaErrorNotSupported);
  }
  return cudaSuccess;
}

}  // namespace cuda_emulator

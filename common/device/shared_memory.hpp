// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Dynamic shared memory of more than 48 KiB: what a kernel's blocks may have.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "check.hpp"
#include "device_attribute.hpp"

namespace tutorial {

/// From now on, the kernel's blocks may have as much dynamic shared memory as the current device has for
/// them, which is returned. CUDA keeps one limit for a kernel, whoever launches it: a call that set it to
/// what it needs itself would take it from a thread that is about to launch with more. Throws cuda_error.
template <class Kernel>
std::size_t allow_most_shared_memory(Kernel* kernel) {
  cudaFuncAttributes has{};
  check(cudaFuncGetAttributes(&has, kernel));
  const int most = device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin) - int(has.sharedSizeBytes);
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, most));
  return std::size_t(most);
}

}  // namespace tutorial

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// How much shared memory a block may have, and what a launch that wants more says.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

namespace tutorial {

/// Bytes of shared memory that a block may have on this device.
struct shared_memory_limits {
  std::size_t unasked;  ///< In every launch.
  std::size_t asked;    ///< At most, for a kernel for which it was asked with cudaFuncSetAttribute.
};
/// What a block may have on the current device. Throws cuda_error where there is none.
shared_memory_limits limits_of_shared_memory();

/// Launches a kernel that fills `bytes` of dynamic shared memory, and waits for it. Returns what the launch
/// said.
cudaError_t use_shared_memory(std::size_t bytes);

/// The same after asking for that much. Returns what the request said, if it was refused.
cudaError_t ask_and_use_shared_memory(std::size_t bytes);

/// Fills the shared memory of the whole device with NaN, as far as kernels can reach it. A kernel that reads
/// shared memory before it has written it is then unlikely to find what looks like a result (CUDA promises
/// nothing about it).
void poison_shared_memory();

}  // namespace tutorial

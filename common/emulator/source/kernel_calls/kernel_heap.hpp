// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The heap of kernels: where their malloc(), new and cudaMalloc() allocate.
#pragma once

#include <cstddef>

#include "emulator/launch.hpp"

namespace cuda_emulator {

/// cudaMalloc() and cudaFree() in kernels.
cudaError_t malloc_by_kernel(void** pointer, std::size_t bytes, const void* caller);
cudaError_t free_by_kernel(void* pointer, const void* caller);

}  // namespace cuda_emulator

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// What the compiler made of a kernel, asked of the runtime.
#pragma once

#include <string>

#include "common/device/check.hpp"
#include "convolve_register_tiled.hpp"

namespace tutorial {

/// `kernel` is a pointer to a __global__ function that is launched with so many threads and so much dynamic
/// memory.
template <class Kernel>
kernel_facts facts_of(Kernel kernel, std::string name, int threads_per_block, int dynamic_shared_bytes) {
  cudaFuncAttributes attributes{};
  check(cudaFuncGetAttributes(&attributes, kernel));
  int blocks = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads_per_block,
                                                      std::size_t(dynamic_shared_bytes)));
  return {.kernel = std::move(name),
          .registers = attributes.numRegs,
          .local_bytes = static_cast<int>(attributes.localSizeBytes),
          .shared_bytes = static_cast<int>(attributes.sharedSizeBytes) + dynamic_shared_bytes,
          .threads_per_block = threads_per_block,
          .blocks_per_multiprocessor = blocks};
}

namespace detail {
template <class T>
kernel_facts vectors_facts(int taps);
template <class T>
kernel_facts register_blocked_facts();
template <class T>
kernel_facts prefetched_facts();
template <class T>
kernel_facts constant_operands_facts();
}  // namespace detail

}  // namespace tutorial

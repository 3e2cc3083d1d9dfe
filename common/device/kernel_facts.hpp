// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What the compiler made of a kernel, and how much of it a multiprocessor holds.
#pragma once

#include <cstddef>
#include <string>

#include "check.hpp"
#include "device_attribute.hpp"

namespace tutorial {

/// Blocks of `kernel`, a pointer to a __global__ function, that the device holds at a time, with so many
/// threads and so much dynamic memory each.
template <class Kernel>
int resident_blocks(Kernel kernel, int threads_per_block, std::size_t shared_bytes) {
  int blocks = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads_per_block, shared_bytes));
  return blocks * device_attribute(cudaDevAttrMultiProcessorCount);
}

/// On the emulated device, which has no registers, `registers` and `local_bytes` are 0.
struct kernel_facts {
  std::string kernel;                 ///< "register_blocked", where a table needs a name.
  int registers = 0;                  ///< Per thread.
  int local_bytes = 0;                ///< Per thread: what did not fit into registers.
  int shared_bytes = 0;               ///< Per block, static and dynamic.
  int threads_per_block = 0;          ///< As it is launched.
  int blocks_per_multiprocessor = 0;  ///< Resident at a time, as the runtime computes it from the others.
};

/// `kernel` is a pointer to a __global__ function that is launched with so many threads and so much dynamic
/// memory.
template <class Kernel>
kernel_facts facts_of(Kernel kernel, int threads_per_block, int dynamic_shared_bytes = 0,
                      std::string name = {}) {
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

}  // namespace tutorial

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// How a kernel is launched, and how many of its blocks a multiprocessor can hold.
#pragma once

#include "common/device/check.hpp"
#include "common/device/plane.hpp"

namespace tutorial {

struct launch_facts {
  int threads_per_block = 0;
  int registers = 0;  ///< Of a thread; the emulated device does not know them.
  int blocks_per_multiprocessor =
      0;  ///< As the runtime computes it from threads, registers and shared memory.
};

/// `kernel` is a pointer to a __global__ function.
template <class Kernel>
launch_facts facts_of(Kernel kernel, int threads_per_block) {
  launch_facts facts{.threads_per_block = threads_per_block};
  cudaFuncAttributes attributes{};
  check(cudaFuncGetAttributes(&attributes, kernel));
  facts.registers = attributes.numRegs;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&facts.blocks_per_multiprocessor, kernel,
                                                      threads_per_block, 0));
  return facts;
}

/// The facts of the kernel behind dct8x8().
launch_facts dct8x8_facts();
/// The facts of the kernel behind dct8x8_per_coefficient().
launch_facts dct8x8_per_coefficient_facts();
/// The facts of the kernel behind dct8x8_shared_matrix().
launch_facts dct8x8_shared_matrix_facts();
/// The facts of the kernel behind dct8x8_textured().
launch_facts dct8x8_textured_facts();

}  // namespace tutorial

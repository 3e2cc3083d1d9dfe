// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// How many blocks of a kernel a multiprocessor holds, and how to make it hold fewer.
#pragma once

#include <cstddef>

#include "common/device/check.hpp"

namespace tutorial {

/// A property of the current device. Throws cuda_error.
inline int device_attribute(cudaDeviceAttr which) {
  int device = 0, value = 0;
  check(cudaGetDevice(&device));
  check(cudaDeviceGetAttribute(&value, which, device));
  return value;
}

/// The most dynamic shared memory with which `blocks` blocks are resident on a multiprocessor, if nothing
/// else limits them: their share of all of it, less what the system takes of each block, in units of 128
/// bytes. blocks >= 1.
inline std::size_t shared_bytes_for(int blocks) {
  const int share = device_attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor) / blocks;
  return static_cast<std::size_t>((share - device_attribute(cudaDevAttrReservedSharedMemoryPerBlock)) / 128 *
                                  128);
}

/// Blocks of `kernel` that the device holds at a time, with so many threads and so much dynamic memory each.
template <class Kernel>
int resident_blocks(Kernel kernel, int threads_per_block, std::size_t shared_bytes) {
  int blocks = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads_per_block, shared_bytes));
  return blocks * device_attribute(cudaDevAttrMultiProcessorCount);
}

}  // namespace tutorial

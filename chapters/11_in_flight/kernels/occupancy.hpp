// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// How to make a multiprocessor hold fewer blocks of a kernel.
#pragma once

#include <cstddef>

#include "common/device/device_attribute.hpp"

namespace tutorial {

/// The most dynamic shared memory with which `blocks` blocks are resident on a multiprocessor, if nothing
/// else limits them: their share of all of it, less what the system takes of each block, in units of 128
/// bytes. blocks >= 1.
inline std::size_t shared_bytes_for(int blocks) {
  const int share = device_attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor) / blocks;
  return static_cast<std::size_t>((share - device_attribute(cudaDevAttrReservedSharedMemoryPerBlock)) / 128 *
                                  128);
}

}  // namespace tutorial

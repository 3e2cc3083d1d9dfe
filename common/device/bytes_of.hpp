// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The bytes of an array.
#pragma once

#include <cstddef>
#include <limits>

#include "check.hpp"

namespace tutorial {

/// size * sizeof(T). Throws cuda_error (cudaErrorMemoryAllocation) where 64 bits cannot say it: a product
/// that wraps around would become a little memory.
template <class T>
std::size_t bytes_of(std::size_t size) {
  if (size > std::numeric_limits<std::size_t>::max() / sizeof(T)) check(cudaErrorMemoryAllocation);
  return size * sizeof(T);
}

}  // namespace tutorial

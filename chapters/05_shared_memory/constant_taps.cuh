// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// The filter in constant memory, as in chapter 04. Each .cu file that includes this has a buffer of its own.
#pragma once

#include <cstddef>

#include "common/device/check.hpp"
#include "common/device/device_memory.hpp"

namespace tutorial {
namespace {

/// All the constant memory that a module may have, for taps of any type.
constexpr std::size_t constant_bytes = 64 * 1024;
alignas(16) __constant__ unsigned char constant_buffer[constant_bytes];

template <class T>
constexpr std::size_t constant_capacity = constant_bytes / sizeof(T);

/// The taps that lie there: h[0, taps).
template <class T>
__device__ const T* constant_taps() {
  return reinterpret_cast<const T*>(constant_buffer);
}

/// Copies h there, at most constant_capacity<T> taps. On the device's default stream: after the kernels before it,
/// which may still read the taps they were given, and before those that follow.
template <class T>
void copy_to_constant_memory(device_span<const T> h) {
  check(cudaMemcpyToSymbolAsync(constant_buffer, h.data(), h.size_bytes(), 0, cudaMemcpyDeviceToDevice));
}

}  // namespace
}  // namespace tutorial

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The filter in constant memory. Each .cu file that includes this has a buffer of its own.
#pragma once

#include "common/device/check.hpp"
#include "convolve_constant.hpp"

namespace tutorial {
namespace {

// [storage]
/// One buffer for the three types: the kernels of a file have 64 KiB of constant memory, and three arrays of
/// 64 KiB do not fit. It is an array of bytes, because C++ lets us store values of any type in such an
/// array. The taps are copied there.
static __constant__ __align__(16) unsigned char tap_storage[constant_bytes];

/// h[0, max_constant_taps<T>)
template <class T>
__device__ const T* constant_taps() {
  return reinterpret_cast<const T*>(tap_storage);
}
// [storage]

// [copy]
/// Copies h there, at most max_constant_taps<T> taps. Ordered like a launch: kernels before it still see the
/// old taps, kernels after it the new ones.
template <class T>
void copy_to_constant_memory(device_span<const T> h, cudaStream_t stream = nullptr) {
  check(cudaMemcpyToSymbolAsync(tap_storage, h.data(), h.size_bytes(), 0, cudaMemcpyDeviceToDevice, stream));
}
// [copy]

/// Which filter lies there, as far as the host knows, and on which device: each has a buffer of its own.
struct loaded_filter {
  element_type type = element_type::float32;
  std::size_t taps = 0;
  int device = 0;

  /// One of so many taps on the current device. Throws cuda_error.
  static loaded_filter here(element_type type, std::size_t taps) {
    loaded_filter filter{type, taps};
    check(cudaGetDevice(&filter.device));
    return filter;
  }
  bool operator==(const loaded_filter&) const = default;
};

}  // namespace
}  // namespace tutorial

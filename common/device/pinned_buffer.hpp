// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Page-locked memory on the host.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <span>

#include "bytes_of.hpp"
#include "check.hpp"

namespace tutorial {

/// Owns elements in page-locked (pinned) memory of the host. The device reads and writes it directly, where
/// ordinary (pageable) memory is copied piece by piece through a buffer of the driver. Not movable; freed
/// when it goes out of scope. T is a type that needs no constructor.
template <class T>
class pinned_buffer {
 public:
  /// `size` elements of any value. Throws cuda_error where memory is short.
  explicit pinned_buffer(std::size_t size) : size_(size) {
    if (size != 0) check(cudaMallocHost(reinterpret_cast<void**>(&data_), bytes_of<T>(size)));
  }
  /// A copy of `values`.
  explicit pinned_buffer(std::span<const T> values) : pinned_buffer(values.size()) {
    std::ranges::copy(values, data_);
  }
  // A destructor must not throw; a failed free shows at the next check.
  ~pinned_buffer() { cudaFreeHost(data_); }
  pinned_buffer(const pinned_buffer&) = delete;
  pinned_buffer& operator=(const pinned_buffer&) = delete;

  /// The first element's address; nullptr where there is none.
  T* data() { return data_; }
  /// All elements. The memory stays this object's.
  std::span<T> span() { return {data_, size_}; }
  std::span<const T> span() const { return {data_, size_}; }

 private:
  T* data_ = nullptr;
  std::size_t size_;
};

/// Whether it is ordinary memory of the host: cudaMemcpyAsync() has read that when the call returns. It reads
/// pinned and managed memory later, when what is before it in the stream is done.
inline bool is_pageable(const void* host) {
  cudaPointerAttributes attributes{};
  check(cudaPointerGetAttributes(&attributes, host));
  return attributes.type == cudaMemoryTypeUnregistered;
}

}  // namespace tutorial

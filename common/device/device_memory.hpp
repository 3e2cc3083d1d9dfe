// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Memory on the device: who owns it, and how it is handed to a function.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include "bytes_of.hpp"
#include "check.hpp"
#include "wrapping.hpp"

namespace tutorial {

/// A range of elements in device memory. It cannot be read on the host: data() is for kernels and copies.
template <class T>
class device_span {
 public:
  device_span() = default;
  /// `size` elements from `data` on, which is an address in device memory.
  device_span(T* data, std::size_t size) : data_(data), size_(size) {}
  /// A range of T may always be handed to who promises to read only.
  template <class U>
  requires(std::is_const_v<T>&& std::is_same_v<U, std::remove_const_t<T>>) device_span(device_span<U> other)
      : data_(other.data()), size_(other.size()) {}

  /// The first element's address in device memory.
  T* data() const { return data_; }
  /// Elements.
  std::size_t size() const { return size_; }
  /// Bytes.
  std::size_t size_bytes() const { return size_ * sizeof(T); }
  /// Whether there are no elements.
  bool empty() const { return size_ == 0; }
  /// `count` elements from element `offset` on, all of which must be there: it is not checked.
  device_span subspan(std::size_t offset, std::size_t count) const { return {data_ + offset, count}; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

/// Fills with what no computation leaves behind: NaN for floating point, 0xA5A5... for integers,
/// so that an element which nobody wrote is caught when results are compared.
template <class T>
void poison(device_span<T> range) {
  const int byte = std::is_floating_point_v<T> ? 0xFF : 0xA5;
  if (!range.empty()) check(cudaMemset(range.data(), byte, range.size_bytes()));
}

/// Owns elements in device memory; move-only; freed when it goes out of scope. It fills and copies in the
/// default stream: a tutorial::stream must be made to wait for that, and that for the stream.
template <class T>
class device_buffer {
 public:
  device_buffer() = default;
  /// `size` elements, poisoned. Throws cuda_error where memory is short.
  explicit device_buffer(std::size_t size) : device_buffer() {
    allocate(size);
    poison(span());
  }
  /// A copy of `host`.
  explicit device_buffer(std::span<const T> host) : device_buffer() {
    allocate(host.size());
    copy_from(host);
  }
  explicit device_buffer(const std::vector<T>& host) : device_buffer(std::span<const T>(host)) {}
  device_buffer(device_buffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  device_buffer& operator=(device_buffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~device_buffer() { cudaFree(data_); }  // a destructor must not throw; a failed free shows at the next check

  /// Elements.
  std::size_t size() const { return size_; }
  /// The first element's address in device memory; nullptr where there is none.
  T* data() { return data_; }
  const T* data() const { return data_; }
  /// The whole of it, to be handed to functions. The memory stays this object's.
  device_span<T> span() { return {data_, size_}; }
  device_span<const T> span() const { return {data_, size_}; }
  /// The same, unasked.
  operator device_span<T>() { return span(); }
  /// The same, to read only.
  operator device_span<const T>() const { return span(); }

  /// Host to device; `host` must have size() elements (std::invalid_argument otherwise).
  void copy_from(std::span<const T> host) {
    if (host.size() != size_) throw std::invalid_argument("device_buffer::copy_from: lengths differ");
    if (size_ != 0) check(cudaMemcpy(data_, host.data(), size_ * sizeof(T), cudaMemcpyHostToDevice));
  }
  /// Device to host, with as many elements (std::invalid_argument otherwise); waits for what the default
  /// stream was given before it.
  void copy_to(std::span<T> host) const {
    if (host.size() != size_) throw std::invalid_argument("device_buffer::copy_to: lengths differ");
    if (size_ != 0) check(cudaMemcpy(host.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost));
  }
  /// The same, into memory of its own.
  std::vector<T> to_host() const {
    std::vector<T> host(size_);
    copy_to(host);
    return host;
  }

 private:
  // The constructors have delegated to the default one before: the memory is freed also if they fail later.
  void allocate(std::size_t size) {
    if (size != 0) check(cudaMalloc(reinterpret_cast<void**>(&data_), bytes_of<T>(size)));
    size_ = size;
  }

  T* data_ = nullptr;
  std::size_t size_ = 0;
};

/// The elements of a range as wrapping<T>, for a kernel: int32 may be read and written as uint32.
template <class T>
wrapping<T>* wrapping_data(device_span<T> range) {
  return reinterpret_cast<wrapping<T>*>(range.data());
}
template <class T>
const wrapping<T>* wrapping_data(device_span<const T> range) {
  return reinterpret_cast<const wrapping<T>*>(range.data());
}

}  // namespace tutorial

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Rectangles of values: one channel of a picture, or its coefficients. On the host, and on the device with a
// pitch.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "check.hpp"

namespace tutorial {

/// height rows of width values in the host's memory, row by row without gaps:
///     value at (row, col) == values[row * width + col]
/// width, height >= 0. Throws std::invalid_argument where one is negative or the values are not
/// width * height.
template <class T>
struct plane {
  int width = 0, height = 0;
  std::vector<T> values;

  plane() = default;
  /// Filled with one value.
  plane(int width, int height, T value = T{})
      : width(width), height(height), values(count(width, height), value) {}
  /// With these values, row by row.
  plane(int width, int height, std::vector<T> all) : width(width), height(height), values(std::move(all)) {
    if (values.size() != count(width, height))
      throw std::invalid_argument("plane: the values do not fill the rows");
  }

  /// The value at (row, col), which must be there: it is not checked.
  T& at(int row, int col) { return values[std::size_t(row) * std::size_t(width) + std::size_t(col)]; }
  const T& at(int row, int col) const {
    return values[std::size_t(row) * std::size_t(width) + std::size_t(col)];
  }

  friend bool operator==(const plane&, const plane&) = default;

 private:
  static std::size_t count(int width, int height) {
    if (width < 0 || height < 0)
      throw std::invalid_argument("plane: " + std::to_string(width) + " x " + std::to_string(height));
    return std::size_t(width) * std::size_t(height);
  }
};

/// A rectangle of values in device memory, which somebody else owns. A row begins `pitch` bytes behind the
/// one above:
///     value at (row, col) == ((T*)((char*)data() + row * pitch()))[col]
template <class T>
class device_plane_span {
 public:
  device_plane_span() = default;
  /// `pitch` in bytes; every row must have room for `width` values.
  device_plane_span(T* data, int width, int height, std::size_t pitch)
      : data_(data), width_(width), height_(height), pitch_(pitch) {}
  /// A rectangle of T may always be handed to who promises to read only.
  template <class U>
  requires(std::is_const_v<T>&& std::is_same_v<U, std::remove_const_t<T>>)
      device_plane_span(device_plane_span<U> other)
      : data_(other.data()), width_(other.width()), height_(other.height()), pitch_(other.pitch()) {}

  /// The first value of the first row, in device memory.
  T* data() const { return data_; }
  /// Values in a row.
  int width() const { return width_; }
  /// Rows.
  int height() const { return height_; }
  /// Bytes from one row to the next; at least width() * sizeof(T).
  std::size_t pitch() const { return pitch_; }

 private:
  T* data_ = nullptr;
  int width_ = 0, height_ = 0;
  std::size_t pitch_ = 0;
};

/// Owns a rectangle of values in device memory, every row aligned as the device wants it (cudaMallocPitch);
/// move-only.
template <class T>
class device_plane {
 public:
  device_plane() = default;
  /// width, height >= 1; poisoned as a device_buffer is. Throws cuda_error where memory is short.
  device_plane(int width, int height) : device_plane() {
    allocate(width, height);
    poison();
  }
  /// A copy of `host`.
  explicit device_plane(const plane<T>& host) : device_plane(host.width, host.height) { copy_from(host); }
  device_plane(device_plane&& other) noexcept : span_(std::exchange(other.span_, {})) {}
  device_plane& operator=(device_plane&& other) noexcept {
    std::swap(span_, other.span_);
    return *this;
  }
  ~device_plane() { cudaFree(span_.data()); }

  /// Values in a row.
  int width() const { return span_.width(); }
  /// Rows.
  int height() const { return span_.height(); }
  /// Bytes from one row to the next, as cudaMallocPitch chose it.
  std::size_t pitch() const { return span_.pitch(); }
  /// The rectangle, to be handed to functions. The memory stays this object's.
  device_plane_span<T> span() { return span_; }
  device_plane_span<const T> span() const { return span_; }
  /// The same, unasked.
  operator device_plane_span<T>() { return span(); }
  /// The same, to read only.
  operator device_plane_span<const T>() const { return span(); }

  /// NaN for floating point, 0xA5A5... for integers; the bytes behind each row too.
  void poison() {
    if (span_.data() != nullptr)
      check(cudaMemset(span_.data(), std::is_floating_point_v<T> ? 0xFF : 0xA5,
                       pitch() * std::size_t(height())));
  }
  /// Host to device. Throws std::invalid_argument if the sizes differ.
  void copy_from(const plane<T>& host) {
    if (host.width != width() || host.height != height())
      throw std::invalid_argument("device_plane::copy_from: sizes differ");
    const std::size_t row = std::size_t(width()) * sizeof(T);
    check(cudaMemcpy2D(span_.data(), pitch(), host.values.data(), row, row, std::size_t(height()),
                       cudaMemcpyHostToDevice));
  }
  /// Device to host; waits for what the default stream was given before it. Throws std::invalid_argument if
  /// the sizes differ.
  void copy_to(plane<T>& host) const {
    if (host.width != width() || host.height != height())
      throw std::invalid_argument("device_plane::copy_to: sizes differ");
    const std::size_t row = std::size_t(width()) * sizeof(T);
    if (row != 0)
      check(cudaMemcpy2D(host.values.data(), row, span_.data(), pitch(), row, std::size_t(height()),
                         cudaMemcpyDeviceToHost));
  }
  /// The same, into a rectangle of its own.
  plane<T> to_host() const {
    plane<T> host(width(), height());
    copy_to(host);
    return host;
  }

 private:
  void allocate(int width, int height) {
    T* data = nullptr;
    std::size_t pitch = 0;
    check(cudaMallocPitch(reinterpret_cast<void**>(&data), &pitch, std::size_t(width) * sizeof(T),
                          std::size_t(height)));
    span_ = {data, width, height, pitch};
  }

  device_plane_span<T> span_;
};

}  // namespace tutorial

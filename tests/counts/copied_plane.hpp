// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "common/device/device_memory.hpp"
#include "common/device/plane.hpp"
#include "count_kernels.hpp"

namespace tutorial {

/// A plane in device memory that is filled by copies alone, with rows of a multiple of 512 bytes as
/// cudaMallocPitch() makes them, on every device the same.
template <class T>
class copied_plane {
 public:
  explicit copied_plane(const plane<T>& values)
      : width_(values.width),
        height_(values.height),
        pitch_((std::size_t(width_) * sizeof(T) + 511) / 512 * 512) {
    std::vector<T> all = unwritten<T>(pitch_ / sizeof(T) * std::size_t(height_));
    for (int row = 0; row < height_; ++row)
      for (int col = 0; col < width_; ++col)
        all[pitch_ / sizeof(T) * std::size_t(row) + std::size_t(col)] = values.at(row, col);
    memory_ = device_buffer<T>(all);
  }
  device_plane_span<T> span() { return {memory_.data(), width_, height_, pitch_}; }
  plane<T> to_host() const {
    const std::vector<T> all = memory_.to_host();
    plane<T> values(width_, height_);
    for (int row = 0; row < height_; ++row)
      for (int col = 0; col < width_; ++col)
        values.at(row, col) = all[pitch_ / sizeof(T) * std::size_t(row) + std::size_t(col)];
    return values;
  }

 private:
  int width_, height_;
  std::size_t pitch_;
  device_buffer<T> memory_;
};

}  // namespace tutorial

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// dct8x8_per_coefficient() with input from a texture.
#pragma once

#include "common/device/kernel_facts.hpp"
#include "common/device/plane.hpp"

namespace tutorial {

/// A rectangle of values in device memory, which this object does not own, as a texture object: fetches
/// beyond its edges give the nearest value within. Must outlive the kernels that fetch from it; move-only.
class plane_texture {
 public:
  /// Throws std::invalid_argument where a row does not begin as the device wants it for textures
  /// (device_plane does), cuda_error where the rectangle is too large for one.
  explicit plane_texture(device_plane_span<const float> values);
  plane_texture(plane_texture&& other) noexcept
      : object_(std::exchange(other.object_, 0)), width_(other.width_), height_(other.height_) {}
  plane_texture& operator=(plane_texture&&) = delete;
  ~plane_texture();

  /// What a kernel takes.
  cudaTextureObject_t object() const { return object_; }
  /// Values in a row.
  int width() const { return width_; }
  /// Rows.
  int height() const { return height_; }

 private:
  cudaTextureObject_t object_ = 0;
  int width_ = 0, height_ = 0;
};

/// Launches in `stream` and does not wait.
void dct8x8_textured(const plane_texture& pixels, device_plane_span<float> coefficients,
                     cudaStream_t stream = nullptr);
/// The way back, in the same way.
void idct8x8_textured(const plane_texture& coefficients, device_plane_span<float> pixels,
                      cudaStream_t stream = nullptr);

/// Makes the texture object, launches, and waits: the object may not go before the kernel has ended.
void dct8x8_textured(device_plane_span<const float> pixels, device_plane_span<float> coefficients);
/// The way back, in the same way.
void idct8x8_textured(device_plane_span<const float> coefficients, device_plane_span<float> pixels);

/// The facts of the kernel behind dct8x8_textured().
kernel_facts dct8x8_textured_facts();

}  // namespace tutorial

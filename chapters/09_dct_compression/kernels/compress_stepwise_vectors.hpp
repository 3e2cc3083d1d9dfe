// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The codec step by step, as in codec_steps.hpp, by kernels in which a thread moves 32 values.
#pragma once

#include <cstdint>

#include "09_dct_compression/host/quantization.hpp"
#include "common/device/plane.hpp"

namespace tutorial {

/// What stepwise_codec computes, to the last bit, and as many bytes between the steps. In its four kernels
/// beside the DCT a thread takes four columns of eight rows. Rows of pixels begin at multiples of 4 bytes,
/// rows of levels at multiples of 8, as those of a device_plane do; otherwise its functions throw
/// std::invalid_argument. All else as codec_steps.hpp says.
class stepwise_vectors_codec {
 public:
  /// For pictures of that size.
  stepwise_vectors_codec(int width, int height);
  /// Pixels to levels, in three kernels.
  void encode(device_plane_span<const std::uint8_t> pixels, const quantization_table& steps,
              device_plane_span<std::int16_t> levels, cudaStream_t stream = nullptr);
  /// Levels to pixels, in three kernels.
  void decode(device_plane_span<const std::int16_t> levels, const quantization_table& steps,
              device_plane_span<std::uint8_t> pixels, cudaStream_t stream = nullptr);

 private:
  device_plane<float> shifted_, coefficients_;
};

}  // namespace tutorial

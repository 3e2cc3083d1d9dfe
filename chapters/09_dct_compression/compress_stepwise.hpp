// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The codec on the device step by step, as it stands in the textbook.
#pragma once

#include "09_dct_compression/kernels/codec_steps.hpp"

namespace tutorial {

/// The steps one after the other in `stream`, and the memory between them: for one call after the other.
class stepwise_codec {
 public:
  /// For pictures of that size.
  stepwise_codec(int width, int height);
  /// levels = shift_levels(), dct8x8() and quantize() of pixels.
  void encode(device_plane_span<const std::uint8_t> pixels, const quantization_table& steps,
              device_plane_span<std::int16_t> levels, cudaStream_t stream = nullptr);
  /// pixels = dequantize(), idct8x8() and to_pixels() of levels.
  void decode(device_plane_span<const std::int16_t> levels, const quantization_table& steps,
              device_plane_span<std::uint8_t> pixels, cudaStream_t stream = nullptr);

 private:
  device_plane<float> shifted_, coefficients_;
};

}  // namespace tutorial

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The codec as it was built when GPUs had few threads and no caches: 64 threads for an 8x8 block in every
// step.
#pragma once

#include <cstdint>

#include "08_dct8x8/kernels/dct8x8_textured.hpp"
#include "09_dct_compression/host/quantization.hpp"
#include "common/device/plane.hpp"

namespace tutorial {

/// Level shift, the DCT with its input from a texture, the quantizer with its steps in constant memory; and
/// back. To the same bounds as stepwise_codec, which it differs from in how the work is divided and not in
/// what is done. It must outlive the kernels that it launches: its texture objects may not go before they
/// have ended.
class per_coefficient_codec {
 public:
  /// For pictures of that size. Throws as plane_texture does.
  per_coefficient_codec(int width, int height);
  per_coefficient_codec(const per_coefficient_codec&) = delete;
  /// Both launch in `stream` and do not wait, one call after the other; what they throw is said in
  /// codec_steps.hpp.
  void encode(device_plane_span<const std::uint8_t> pixels, const quantization_table& steps,
              device_plane_span<std::int16_t> levels, cudaStream_t stream = nullptr);
  /// The way back.
  void decode(device_plane_span<const std::int16_t> levels, const quantization_table& steps,
              device_plane_span<std::uint8_t> pixels, cudaStream_t stream = nullptr);

 private:
  device_plane<float> shifted_, coefficients_;
  plane_texture shifted_texture_, coefficients_texture_;
};

}  // namespace tutorial

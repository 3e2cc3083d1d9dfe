// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "compress_stepwise.hpp"

#include "08_dct8x8/host/dct_serial.hpp"
#include "08_dct8x8/kernels/dct8x8_columns.hpp"

namespace tutorial {

stepwise_codec::stepwise_codec(int width, int height)
    : shifted_(width, height), coefficients_(padded(width), padded(height)) {}

// [steps]
void stepwise_codec::encode(device_plane_span<const std::uint8_t> pixels, const quantization_table& steps,
                            device_plane_span<std::int16_t> levels, cudaStream_t stream) {
  shift_levels(pixels, shifted_, stream);
  dct8x8(shifted_, coefficients_, stream);
  quantize(coefficients_, steps, levels, stream);
}

void stepwise_codec::decode(device_plane_span<const std::int16_t> levels, const quantization_table& steps,
                            device_plane_span<std::uint8_t> pixels, cudaStream_t stream) {
  dequantize(levels, steps, coefficients_, stream);
  idct8x8(coefficients_, shifted_, stream);
  to_pixels(shifted_, pixels, stream);
}
// [steps]

}  // namespace tutorial

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The steps of the codec, a kernel for each: what one step writes to global memory the next one reads.
//
// All functions launch in `stream` and do not wait, and throw std::invalid_argument for sizes that do not
// fit, cuda_error for a launch that is refused. Planes have at most 524,280 rows and 2,147,483,136 columns.
#pragma once

#include <cstdint>

#include "09_dct_compression/host/quantization.hpp"
#include "common/device/device_memory.hpp"
#include "common/device/plane.hpp"

namespace tutorial {

/// shifted = pixels - 128.
void shift_levels(device_plane_span<const std::uint8_t> pixels, device_plane_span<float> shifted,
                  cudaStream_t stream = nullptr);
/// pixels = shifted + 128, rounded to the nearest whole number, halves to the even one, and clamped to
/// 0..255.
void to_pixels(device_plane_span<const float> shifted, device_plane_span<std::uint8_t> pixels,
               cudaStream_t stream = nullptr);

/// level = coefficient / step, rounded to the nearest whole number, halves away from zero. Both of whole 8x8
/// blocks.
void quantize(device_plane_span<const float> coefficients, const quantization_table& steps,
              device_plane_span<std::int16_t> levels, cudaStream_t stream = nullptr);
/// coefficient = level * step.
void dequantize(device_plane_span<const std::int16_t> levels, const quantization_table& steps,
                device_plane_span<float> coefficients, cudaStream_t stream = nullptr);

/// path[64 * block + i] = the i-th level on the zig-zag path of that block, the blocks counted row by row.
void to_zigzag(device_plane_span<const std::int16_t> levels, device_span<std::int16_t> path,
               cudaStream_t stream = nullptr);
/// The way back: levels of whole 8x8 blocks from their paths.
void from_zigzag(device_span<const std::int16_t> path, device_plane_span<std::int16_t> levels,
                 cudaStream_t stream = nullptr);

}  // namespace tutorial

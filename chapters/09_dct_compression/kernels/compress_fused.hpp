// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The codec on the device, one kernel each way; what stands between never leaves the chip.
//
// All functions launch in `stream` and do not wait. They throw std::invalid_argument for sizes that do not
// fit and for rows that do not begin at multiples of 8 bytes (pixels) or 16 (levels), which those of a
// device_plane do; cuda_error for a launch that is refused. Planes have at most 524,280 rows and
// 2,147,483,136 columns. Blocks over the edge see the last column and row repeated.
#pragma once

#include <cstdint>

#include "09_dct_compression/host/quantization.hpp"
#include "common/device/plane.hpp"

namespace tutorial {

/// Pixels to levels, rounded to the nearest whole number, halves to the even one. `levels` is padded(width) x
/// padded(height).
void encode_fused(device_plane_span<const std::uint8_t> pixels, const quantization_table& steps,
                  device_plane_span<std::int16_t> levels, cudaStream_t stream = nullptr);

/// Levels to pixels, cropped to the size of `pixels`.
void decode_fused(device_plane_span<const std::int16_t> levels, const quantization_table& steps,
                  device_plane_span<std::uint8_t> pixels, cudaStream_t stream = nullptr);

/// Pixels to the pixels that a reader of the file would see, without ever writing a level. Both have the same
/// size.
void round_trip_fused(device_plane_span<const std::uint8_t> pixels, const quantization_table& steps,
                      device_plane_span<std::uint8_t> result, cudaStream_t stream = nullptr);

}  // namespace tutorial

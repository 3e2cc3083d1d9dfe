// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// The codec on the device, one kernel each way; what stands between never leaves the chip.
#pragma once

#include <cstdint>

#include "common/plane.hpp"
#include "quantization.hpp"

namespace tutorial {

/// Pixels to levels. `levels` is padded(width) x padded(height).
/// Launches and does not wait. Throws std::invalid_argument for sizes that do not fit, cuda_error for a launch that is
/// refused. So do the others.
void encode_fused(device_plane_span<const std::uint8_t> pixels, const quantization_table& steps,
                  device_plane_span<std::int16_t> levels);

/// Levels to pixels, cropped to the size of `pixels`.
void decode_fused(device_plane_span<const std::int16_t> levels, const quantization_table& steps,
                  device_plane_span<std::uint8_t> pixels);

/// Pixels to the pixels that a reader of the file would see, without ever writing a level. Both have the same size.
void round_trip_fused(device_plane_span<const std::uint8_t> pixels, const quantization_table& steps,
                      device_plane_span<std::uint8_t> result);

}  // namespace tutorial

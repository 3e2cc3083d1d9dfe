// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "09_dct_compression/host/quantization.hpp"
#include "common/device/plane.hpp"

namespace tutorial {

/// Levels back to pixels: X = A^T C A + 128 with C = level * step, rounded to the nearest whole number
/// (halves up) and clamped to 0..255. `levels` is padded(width) x padded(height) for pixels of width x
/// height, any size from 1 x 1 on to 524,280 rows and fewer than 2^31 levels, pitch included. Nothing but
/// pixels is written.
void decode_by_columns(device_plane_span<const std::int16_t> levels, const quantization_table& steps,
                       device_plane_span<std::uint8_t> pixels);

}  // namespace tutorial

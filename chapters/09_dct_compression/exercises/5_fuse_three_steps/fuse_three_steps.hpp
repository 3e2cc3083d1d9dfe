// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "09_dct_compression/host/quantization.hpp"
#include "common/device/plane.hpp"

namespace tutorial {

/// Level shift, DCT and quantizer in one launch: levels[v][u] = round(C[v][u] / step(v, u)), C = A (X - 128)
/// A^T for every 8x8 block X of the pixels; blocks that reach beyond the edge are filled up with the last
/// column and row. `levels` is padded(width) x padded(height), see dct_serial.hpp, with fewer than 2^31
/// levels, pitch included. A number exactly halfway may be rounded either way. Each pixel is loaded once and
/// each level stored once: 3 bytes of global memory for a pixel.
void fuse_three_steps(device_plane_span<const std::uint8_t> pixels, const quantization_table& steps,
                      device_plane_span<std::int16_t> levels);

}  // namespace tutorial

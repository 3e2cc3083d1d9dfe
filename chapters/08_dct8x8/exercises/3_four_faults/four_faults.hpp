// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include "common/device/plane.hpp"

namespace tutorial {

/// C = A X A^T for every 8x8 block, blocks that reach beyond the edge filled up with the last column and row.
/// `coefficients` is padded(width) x padded(height), see dct_serial.hpp; pitches are multiples of 4 bytes.
/// Each pixel is loaded once where the picture consists of whole blocks.
void dct_four_faults(device_plane_span<const float> pixels, device_plane_span<float> coefficients);

}  // namespace tutorial

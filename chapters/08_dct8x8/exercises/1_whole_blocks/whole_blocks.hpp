// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include "common/device/plane.hpp"

namespace tutorial {

/// Fills up a picture to whole 8x8 blocks: y(row, col) = x(min(row, height - 1), min(col, width - 1)).
/// y is padded(width) x padded(height), see dct_serial.hpp. pitch() is in bytes, a multiple of 4. The lanes
/// of a warp read and write side by side.
void fill_up_to_blocks(device_plane_span<const float> x, device_plane_span<float> y);

}  // namespace tutorial

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include "common/device/device_memory.hpp"

namespace tutorial {

/// Edges in a picture of width x height pixels, row after row without gaps: pixel (row, col) is
/// x[row * width + col], and y likewise. y = |across| + |down|, sums over the nine pixels around (Sobel's
/// filters):
///     across   -1  0  1       down   -1 -2 -1
///              -2  0  2               0  0  0
///              -1  0  1               1  2  1
/// Beyond the edges of the picture its first and last rows and columns go on. Any size from 1 x 1 on, with
/// fewer than 2^31 pixels and at most 65,535 rows. In pictures of 500 x 256 pixels and more: at most 1.1
/// loads per pixel, from global and shared memory together, and at most half a sector. Each output is stored
/// once.
void find_edges(device_span<const float> x, device_span<float> y, int width, int height);

}  // namespace tutorial

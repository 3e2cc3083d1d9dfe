// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include "common/device/plane.hpp"

namespace tutorial {

/// Every 8x8 block of x, put together again from its coefficients C[v][u] with u + v < corner alone:
///     y = A^T C' A,   C' = A x A^T where u + v < corner, and 0 elsewhere.
/// With corner 1 only DC is left, with 15 all are. Blocks that reach beyond the edge see the last column and
/// row repeated. y is as large as x; pitches are multiples of 4 bytes. One launch, which loads each pixel
/// once.
void keep_a_corner(device_plane_span<const float> x, int corner, device_plane_span<float> y);

}  // namespace tutorial

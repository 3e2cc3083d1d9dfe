// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include "common/device/device_memory.hpp"

namespace tutorial {

/// 'full' convolution, y[n] = sum over k of h[k] x[n - k], 0 <= n < N + K - 1: by tiles of 32, one warp for
/// each 32 outputs in a row, without an intermediate in memory, and without shared memory.
void convolve_diagonals(device_span<const float> x, device_span<const float> h, device_span<float> y);

}  // namespace tutorial

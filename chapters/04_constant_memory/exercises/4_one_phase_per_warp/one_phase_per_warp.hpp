// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include "common/device/device_memory.hpp"

namespace tutorial {

/// Interpolation by four: y[n] = sum over k of h[4 k + n mod 4] x[floor(n / 4) - k], 0 <= n < 4 N,
/// 0 <= k < K / 4; samples outside x count as zero. K is a multiple of 4, at most 256; y has 4 N elements.
/// Lanes of a warp read the same taps.
void interpolate_by_four(device_span<const float> x, device_span<const float> h, device_span<float> y);

}  // namespace tutorial

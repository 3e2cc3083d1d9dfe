// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include "common/device/device_memory.hpp"

namespace tutorial {

/// 'same' convolution with another rule for the edges: a sample that does not exist is as large as the
/// nearest one that does. y[i] = sum over k of h[k] x[clamp(i + (K - 1) / 2 - k, 0, N - 1)], 0 <= i < N.
void convolve_clamped(device_span<const float> x, device_span<const float> h, device_span<float> y);

}  // namespace tutorial

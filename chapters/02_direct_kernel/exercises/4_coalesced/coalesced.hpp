// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include "common/device/device_memory.hpp"

namespace tutorial {

/// Full convolution of floats, eight outputs per thread: y[n] = sum over k of h[k] x[n - k],
/// 0 <= n < N + K - 1. Neighboring threads compute neighboring outputs.
void convolve_eight(device_span<const float> x, device_span<const float> h, device_span<float> y);

}  // namespace tutorial

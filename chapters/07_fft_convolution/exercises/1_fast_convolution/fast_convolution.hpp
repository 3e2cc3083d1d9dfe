// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include "common/device/device_memory.hpp"

namespace tutorial {

/// Full convolution of floats by one transform of the whole signal: y[n] = sum over k of h[k] x[n - k],
/// 0 <= n < N + K - 1. N + K is at most 2^20. Returns the length of the transform, which is the smallest
/// power of two that is enough, and 2 at least.
int convolve_by_transform(device_span<const float> x, device_span<const float> h, device_span<float> y);

}  // namespace tutorial

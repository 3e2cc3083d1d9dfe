// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include "common/device/device_memory.hpp"

namespace tutorial {

inline constexpr int most_taps = 64;

/// Two full convolutions of one signal: y[n] = sum over k of h[k] x[n - k], z[n] = sum over k of g[k]
/// x[n - k]. h and g have the same number of taps K, 1 to most_taps; y and z have N + K - 1 elements.
void convolve_two(device_span<const float> x, device_span<const float> h, device_span<const float> g,
                  device_span<float> y, device_span<float> z);

}  // namespace tutorial

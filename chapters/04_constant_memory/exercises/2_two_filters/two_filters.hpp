// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include "common/device/device_memory.hpp"

namespace tutorial {

inline constexpr int most_taps = 64;

/// Two convolutions of one signal: y[n] = sum over k of h[k] x[n - k], z[n] = sum over k of g[k] x[n - k],
/// for all n where one of them can be other than zero; samples outside x count as zero. h and g have 1 to most_taps taps, not
/// necessarily as many; y and z have N + max(taps of h, taps of g) - 1 elements. Each sample is loaded once for
/// each step k, however many of the two filters want it.
void convolve_two(device_span<const float> x, device_span<const float> h, device_span<const float> g,
                  device_span<float> y, device_span<float> z);

}  // namespace tutorial

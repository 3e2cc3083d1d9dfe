// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include "common/device/device_memory.hpp"

namespace tutorial {

inline constexpr int most_taps = 64;

/// Two full convolutions of one signal: y[n] = sum over k of h[k] x[n - k] and z[n] = sum over k of
/// g[k] x[n - k]; samples outside x count as zero. h and g have 1 to most_taps taps each. y and z both have
/// N + max(taps of h, taps of g) - 1 elements; those beyond the shorter convolution are zero. In step k a
/// thread loads its sample once, also where both filters have a tap k.
void convolve_two(device_span<const float> x, device_span<const float> h, device_span<const float> g,
                  device_span<float> y, device_span<float> z);

}  // namespace tutorial

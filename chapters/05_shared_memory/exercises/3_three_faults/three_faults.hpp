// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "common/device/device_memory.hpp"

namespace tutorial {

/// The most taps that convolve_short takes.
inline constexpr std::size_t most_short_taps = 64;

/// Full convolution of floats: y[n] = sum over k of h[k] x[n - k], 0 <= n < N + K - 1. Any N from 1 on,
/// K from 1 to most_short_taps; throws std::invalid_argument for more. A block loads each sample that its
/// outputs need once.
void convolve_short(device_span<const float> x, device_span<const float> h, device_span<float> y);

}  // namespace tutorial

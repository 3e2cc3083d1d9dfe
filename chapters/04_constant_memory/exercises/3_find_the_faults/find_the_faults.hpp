// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "common/device/device_memory.hpp"

namespace tutorial {

/// 'same' convolution of doubles: y[i] = sum over k of h[k] x[i + r - k], 0 <= i < N, where samples outside x
/// count as zero. h lies on the host and has 2 r + 1 taps, at most 31. Any N from 1 on. The lanes
/// of a warp read the same tap at the same time.
void smooth(device_span<const double> x, std::span<const double> h, device_span<double> y);

}  // namespace tutorial

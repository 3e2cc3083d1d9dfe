// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include "common/device/device_memory.hpp"

namespace tutorial {

/// The energy of each signal that is still to come:
///     y[row * width + i] = sum of x[row * width + j]^2 over i <= j < width, 0 <= i < width
/// There are x.size() / width signals of `width` samples, width is at least 1, and there are fewer than
/// 2^31 - 256 samples. Each is loaded once.
void remaining_energy(device_span<const float> x, int width, device_span<float> y);

}  // namespace tutorial

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include "common/device/device_memory.hpp"

namespace tutorial {

/// Takes from each signal its mean:
///     y[row * width + i] = x[row * width + i] - (mean of x[row * width + j], 0 <= j < width), 0 <= i < width
/// There are x.size() / width signals of `width` samples, width is at least 1, and there are fewer than
/// 2^31 - 256 samples. Each sample is loaded twice at most, and no shared memory is used.
void remove_means(device_span<const float> x, int width, device_span<float> y);

}  // namespace tutorial

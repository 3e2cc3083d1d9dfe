// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include "common/device/device_memory.hpp"

namespace tutorial {

/// The correlation of a recording x, N samples, with a pulse h, K samples, by transforms, wherever the pulse
/// lies wholly within the recording: y[n] = sum over k of h[k] x[n + k], 0 <= n <= N - K. Where it is
/// largest, the pulse has come back, n samples late. 1 <= K <= N <= 2^20; y has N - K + 1 elements.
void correlate_by_transform(device_span<const float> x, device_span<const float> h, device_span<float> y);

}  // namespace tutorial

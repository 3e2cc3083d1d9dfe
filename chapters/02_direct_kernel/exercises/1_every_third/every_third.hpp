// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include "common/device/device_memory.hpp"

namespace tutorial {

/// Full convolution, of which only every step-th output is wanted:
///     y[i] = sum over k of h[k] x[step i - k], 0 <= step i < N + K - 1
/// Samples outside x count as zero. step is at least 1, y has ceil((N + K - 1) / step) elements, and N + K is
/// at most 2^30. What is not wanted is not computed.
void filter_and_thin_out(device_span<const float> x, device_span<const float> h, int step,
                         device_span<float> y);

}  // namespace tutorial

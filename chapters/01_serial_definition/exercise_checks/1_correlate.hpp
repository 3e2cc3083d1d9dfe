// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include <span>

namespace tutorial {

/// Correlation: y[i] = sum over k of h[k] x[i + k - (K - 1)], 0 <= i < N + K - 1. The filter is slid over the signal
/// without being flipped. Samples outside x count as zero. x holds N samples, h holds K taps.
void correlate(std::span<const float> x, std::span<const float> h, std::span<float> y);

}  // namespace tutorial

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include <span>

namespace tutorial {

/// Correlation: the filter is slid over the signal as it is, without being flipped. As in full convolution
/// there are N + K - 1 outputs: y[0] is the last tap times the first sample, y[N + K - 2] the first tap times
/// the last sample. Samples outside x count as zero. x holds N samples, h holds K taps.
void correlate(std::span<const float> x, std::span<const float> h, std::span<float> y);

}  // namespace tutorial

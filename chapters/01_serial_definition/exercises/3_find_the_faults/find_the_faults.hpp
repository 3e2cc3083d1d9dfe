// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include <span>

namespace tutorial {

/// 'same' convolution on a ring, where the first sample is the neighbor of the last one:
///     y[i] = sum over k of h[k] x[(i + floor((K - 1) / 2) - k) mod N], 0 <= i < N
/// with mod as in mathematics, never negative. x and y hold N samples, h holds K taps; K may be larger than
/// N. What is in y beforehand does not matter.
void convolve_ring(std::span<const float> x, std::span<const float> h, std::span<float> y);

}  // namespace tutorial

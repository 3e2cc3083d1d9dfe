// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The two simplest loops for a convolution: float, all outputs of 'full'.
#pragma once

#include <vector>

namespace tutorial {

/// The N + K - 1 outputs y[n] = sum over k of h[k] x[n - k], one output after the other; samples outside x
/// count as zero. x holds N samples, h holds K taps, at least one each; N + K may be at most 2^31 - 1.
std::vector<float> gather_full(const std::vector<float>& x, const std::vector<float>& h);

/// The same outputs, one sample after the other.
std::vector<float> scatter_full(const std::vector<float>& x, const std::vector<float>& h);

}  // namespace tutorial

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include <span>

namespace tutorial {

/// Mixes two recordings in the host's memory: y[i] = a[i] + gain * b[i], computed on the device. All
/// three have the same length, 1 to 2^30. Throws cuda_error if CUDA refuses anything.
void mix(std::span<const float> a, std::span<const float> b, float gain, std::span<float> y);

}  // namespace tutorial

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include <span>

namespace tutorial {

/// y[n] = 2 x[n], in chunks of 4096 samples, by copies and kernels in two streams. x and y are pinned memory
/// of the same length. Waits until y is there.
void double_in_chunks(std::span<const float> x, std::span<float> y);

}  // namespace tutorial

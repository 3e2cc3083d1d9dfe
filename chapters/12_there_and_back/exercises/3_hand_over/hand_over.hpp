// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include <span>

namespace tutorial {

/// y[n] = x[n] - x[n - 1], where x[-1] counts as zero, in chunks of 1000 outputs: a stream for the copies up,
/// one for the kernels, one for the copies down, and a ring of two buffers. x and y are pinned memory of the
/// same length. Waits until y is there.
void differences(std::span<const float> x, std::span<float> y);

}  // namespace tutorial

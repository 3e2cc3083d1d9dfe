// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include "common/device/device_memory.hpp"

namespace tutorial {

/// Overlap-add, its last step. Block b of `blocks` has `length` elements at blocks + b * length: the full
/// convolution of x[b * step, (b + 1) * step) with the filter, so length >= step + K - 1. Where blocks
/// overlap, they are added:
///     y[n] = sum over all b of block b's element n - b * step, where it has one,      0 <= n < y.size().
/// step >= 1 and length <= 2 * step: an output has a part in two blocks at most.
void add_overlapping(device_span<const float> blocks, int count, int length, int step, device_span<float> y);

}  // namespace tutorial

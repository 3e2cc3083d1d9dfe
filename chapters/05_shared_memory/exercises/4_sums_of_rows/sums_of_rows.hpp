// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include "common/device/device_memory.hpp"

namespace tutorial {

/// Sums of 32 samples each: y[i] = x[32 i] + ... + x[32 i + 31]. x holds 32 times as many samples as y, any
/// number of them from 32 on. Global memory is read side by side, shared memory without bank conflicts.
void sum_rows(device_span<const float> x, device_span<float> y);

}  // namespace tutorial

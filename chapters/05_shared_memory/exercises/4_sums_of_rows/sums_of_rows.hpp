// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include "common/device/device_memory.hpp"

namespace tutorial {

/// Sums of 32 samples each: y[i] = x[32 i] + ... + x[32 i + 31]. y has 1 or more; x is 32 times as long.
/// Each sample is loaded once, side by side; shared memory is read and written without bank conflicts.
void sum_rows(device_span<const float> x, device_span<float> y);

}  // namespace tutorial

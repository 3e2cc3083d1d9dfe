// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include "common/device/device_memory.hpp"

namespace tutorial {

/// For how many samples a peak is held, its own included.
inline constexpr int held = 100;

/// A meter that holds its peaks: y[i] is the largest of x[i - (held - 1)], ..., x[i], of those that exist,
/// 0 <= i < N. x has no NaN; any N from 1 on. A block loads each sample that its outputs need once.
void hold_peaks(device_span<const float> x, device_span<float> y);

}  // namespace tutorial

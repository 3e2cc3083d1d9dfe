// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include "common/device/device_memory.hpp"

namespace tutorial {

/// A mean of five: y[i] = (x[i - 2] + x[i - 1] + x[i] + x[i + 1] + x[i + 2]) / 5, 0 <= i < N, where samples
/// outside x count as zero. Any N from 1 on. A block loads each sample that its outputs need once.
void mean_of_five_staged(device_span<const double> x, device_span<double> y);

}  // namespace tutorial

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include "common/device/device_memory.hpp"

namespace tutorial {

/// y[i] = x[size - 1 - i]: the last element first. Both have the same length.
void reverse(device_span<const float> x, device_span<float> y);

}  // namespace tutorial

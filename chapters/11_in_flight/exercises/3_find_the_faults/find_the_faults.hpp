// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include "common/device/device_memory.hpp"

namespace tutorial {

/// y = x, with each group of 256 elements in reverse order; the last group may be shorter. x and y have the
/// same length and do not overlap.
void reverse_groups(device_span<const float> x, device_span<float> y);

/// y[i] = x[i] - x[i - 1], and y[0] = x[0]: differences, by blocks that stay and have a ring of two tiles:
/// one is computed while the next one is under way. x and y have the same length and do not overlap.
void differences(device_span<const float> x, device_span<float> y);

}  // namespace tutorial

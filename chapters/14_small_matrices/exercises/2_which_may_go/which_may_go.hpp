// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include "common/device/device_memory.hpp"

namespace tutorial {

/// product = a * b, all row by row: a of 16 x 16 numbers, b of 16 x 8, of size 1 to 2 or 0. Each element is
/// within 2^-18 sum |a| |b| of the exact one. By tensor cores: a and b are split into two parts each, and
/// mma.sync multiplies parts. products[0] = how many mma.sync the warp has made. The target: three.
void multiply_split(device_span<const float> a, device_span<const float> b, device_span<float> product,
                    device_span<int> products);

}  // namespace tutorial

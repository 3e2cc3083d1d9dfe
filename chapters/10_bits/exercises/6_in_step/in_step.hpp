// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "common/device/device_memory.hpp"

namespace tutorial {

/// A reader that is at bit i goes on at bit next[i]: i < next[i] <= next.size(). The right reader begins at
/// bit 0; is_right[i] is 1 where it comes by, else 0. bits[i] = how many bits a reader that begins at bit i
/// reads until it is where the right reader comes by, too, or at the end. All have the same size. The target:
/// a thread for each beginning.
void in_step(device_span<const int> next, device_span<const std::uint8_t> is_right, device_span<int> bits);

}  // namespace tutorial

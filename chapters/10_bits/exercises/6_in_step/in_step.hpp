// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "common/device/device_memory.hpp"

namespace tutorial {

/// A reader at bit i continues at bit next[i]: i < next[i] <= next.size(). The correct reader begins at bit
/// 0; is_right[i] is 1 if it visits bit i, else 0. bits[i] = how many bits a reader that begins at bit i
/// reads until it is at a bit that the correct reader also visits, or at the end. All have the same size. The
/// target: one thread per beginning.
void in_step(device_span<const int> next, device_span<const std::uint8_t> is_right, device_span<int> bits);

}  // namespace tutorial

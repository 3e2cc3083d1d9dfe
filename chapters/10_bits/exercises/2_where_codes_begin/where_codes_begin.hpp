// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include "common/device/device_memory.hpp"

namespace tutorial {

/// begins[i] = lengths[0] + ... + lengths[i - 1]: where the code of 8x8 block i begins, in bits; begins[0] =
/// 0. Both have the same size, 0 to 1024; lengths are 0 to 2000. The target: one block of threads, a thread
/// that loads it once for each length, and no more than two barriers: each warp adds up by shuffles.
void where_codes_begin(device_span<const int> lengths, device_span<int> begins);

}  // namespace tutorial

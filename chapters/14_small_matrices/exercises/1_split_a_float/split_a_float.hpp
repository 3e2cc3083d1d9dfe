// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "common/device/device_memory.hpp"

namespace tutorial {

/// The bits of two fp16 numbers.
struct two_halves {
  std::uint16_t high, low;
};

/// halves[i]: high is the fp16 number nearest to x[i], and low the fp16 number nearest to what is then left,
/// x[i] - high. So high + low is within 2^-22 |x[i]| of x[i]. 1 <= |x[i]| < 65000, or x[i] is 0. Both have
/// the same size, 0 to 10 million.
void split_a_float(device_span<const float> x, device_span<two_halves> halves);

}  // namespace tutorial

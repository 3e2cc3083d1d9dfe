// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include "common/device/device_memory.hpp"

namespace tutorial {

/// Many transforms of four complex numbers (.x is the real part, .y the imaginary part), forward, each in the
/// registers of one thread. x holds them one behind the other, and y gets the results, in bit-reversed order:
///     y[4 i + p] = sum over k of x[4 i + k] exp(-2 pi i k f / 4),   f = 0, 2, 1, 3 for p = 0, 1, 2, 3.
/// x and y have the same size, a multiple of 4, and do not overlap. Each thread adds and subtracts only:
/// whole numbers give whole numbers, exactly.
void transforms_of_4(device_span<const float2> x, device_span<float2> y);

}  // namespace tutorial

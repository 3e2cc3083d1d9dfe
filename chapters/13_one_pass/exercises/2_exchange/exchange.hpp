// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include "common/device/device_memory.hpp"

namespace tutorial {

/// Shared memory of the exchange, in floats.
inline constexpr int places = 320;

/// A warp holds 256 numbers, eight in each lane. They change lanes through shared memory: lane u puts the
/// numbers u + 32 k, k = 0 .. 7, and takes the numbers 8 u + k. x and y have 256 elements: y[8 u + k] is what
/// lane u has taken as its k-th number, so y[p] == x[p].
///
/// The target: every number has a place of its own below `places`, and each of the eight requests that put
/// and of the eight that take is one wavefront.
void exchange_in_a_warp(device_span<const float> x, device_span<float> y);

}  // namespace tutorial

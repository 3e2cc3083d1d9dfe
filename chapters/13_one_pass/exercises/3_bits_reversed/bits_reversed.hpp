// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include "common/device/device_memory.hpp"

namespace tutorial {

/// The product of two spectra of L numbers, where L is a power of two from 2 to 2^20 and each in another
/// order:
///     x, from our own transform, is bit-reversed: x[p] is frequency f(p), p with its log2(L) bits reversed;
///     h, from a library's real-to-complex transform, is in natural order, and has the frequencies 0 .. L / 2
///     only: a real filter has h[L - f] = the conjugate of h[f].
/// Afterwards x[p] is the product at frequency f(p). x has L elements, h has L / 2 + 1.
void multiply_bit_reversed(device_span<float2> x, device_span<const float2> h);

}  // namespace tutorial

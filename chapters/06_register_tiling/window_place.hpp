// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// One kernel, compiled twice: with its window in registers, and with the same window in local memory.
#pragma once

#include "common/device/device_memory.hpp"
#include "convolve_register_tiled.hpp"

namespace tutorial {

enum class window_place { registers, local_memory };

/// Full convolution of floats, eight neighboring outputs per thread, samples straight from global memory:
/// y[n] = sum over k of h[k] x[n - k], 0 <= n < N + K - 1. N + K may be at most 2^31 - 1 - 1024.
/// Launches and does not wait. Throws std::invalid_argument for lengths that do not fit, cuda_error for a
/// launch that is refused.
void convolve_with_window_in(window_place place, device_span<const float> x, device_span<const float> h,
                             device_span<float> y);

/// What the compiler made of that kernel.
kernel_facts window_facts(window_place place);

}  // namespace tutorial

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Two kernels that nothing else uses, so that their first call in a program can be told from the next ones:
// the CUDA runtime loads a kernel onto the device when it is first launched.
#pragma once

#include "common/device/device_memory.hpp"

namespace tutorial {

/// 'same' smoothing with 5 taps, y[i] = sum over k of h[k] x[i + 2 - k], ghosts zero; the taps in global
/// memory. x and y have the same length, at most 2^30 (std::invalid_argument otherwise). Launches and does
/// not wait.
void smooth_plain(device_span<const double> x, device_span<const double> h, device_span<double> y);

/// Copies 5 taps from the host into constant memory, and waits.
void load_smoothing_taps(const double (&h)[5]);

/// The same smoothing with the taps that were loaded.
void smooth_constant(device_span<const double> x, device_span<double> y);

}  // namespace tutorial

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "common/device/device_memory.hpp"

namespace tutorial {

/// Sums over a window: y[i] = x[i - radius] + ... + x[i + radius], 0 <= i < N, where samples outside x count
/// as zero. Any radius with which 256 outputs and both halos fit in the shared memory that a block may have
/// on this device; throws std::invalid_argument for more. A block loads each sample that its outputs need
/// once.
void window_sums(device_span<const float> x, device_span<float> y, std::size_t radius);

}  // namespace tutorial

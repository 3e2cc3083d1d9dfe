// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "common/device/device_memory.hpp"

namespace tutorial {

/// Where is the peak of each signal? signals[row * width + i], 0 <= i < width, is sample i of signal `row`;
/// all samples are finite, and there are fewer than 2^31. peaks[row] is the index i of its largest sample;
/// the first one where several are as large. `width` is at least 1; there are peaks.size() signals, of
/// signals.size() / peaks.size() samples each. Each sample is loaded once, and no shared memory is used.
void find_peaks(device_span<const float> signals, device_span<std::int32_t> peaks);

}  // namespace tutorial

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The simplest convolution on the device: float, 5 taps, 'same'.
#pragma once

#include "common/device/device_memory.hpp"
#include "common/verify/convolution.hpp"

namespace tutorial {

/// y[i] = sum over k of h[k] x[i + 2 - k]: 'same' with 5 taps; samples outside x count as zero. x and y hold
/// N elements, h holds 5; none of them overlap. N may be at most 2^31 - 1 - 261. Launches in the stream and
/// does not wait. Throws std::invalid_argument for another mode, another number of taps, or lengths that do
/// not fit; cuda_error for a launch that is refused.
void smooth(device_span<const float> x, device_span<const float> h, device_span<float> y,
            convolution_mode mode, cudaStream_t stream = nullptr);

}  // namespace tutorial

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// A picture smoothed on the device, with a square of taps for each output.
#pragma once

#include "common/device/plane.hpp"

namespace tutorial {

/// y as filter_definition() of x says, by one kernel with (2 filter_radius + 1)^2 loads for each output. Both
/// are width x height and do not overlap; pitches are multiples of 4 bytes. At most 524,280 rows and
/// 2,147,483,136 columns. Launches in `stream` and does not wait. Throws std::invalid_argument for sizes
/// that do not fit, cuda_error for a launch that is refused.
void filter_square(device_plane_span<const float> x, device_plane_span<float> y,
                   cudaStream_t stream = nullptr);

}  // namespace tutorial

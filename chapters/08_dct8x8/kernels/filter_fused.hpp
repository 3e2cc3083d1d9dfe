// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// A picture smoothed on the device: along rows and columns, in one kernel.
#pragma once

#include "common/device/plane.hpp"

namespace tutorial {

/// y as filter_definition() of x says, by one kernel with 30 loads of 16 bytes for each square of 4 x 4
/// outputs. At the left and right edge of the picture, and everywhere if a row of x or y does not begin at a
/// multiple of 16 bytes, it loads floats one by one. The rest is as for filter_square().
void filter_fused(device_plane_span<const float> x, device_plane_span<float> y,
                  cudaStream_t stream = nullptr);

}  // namespace tutorial

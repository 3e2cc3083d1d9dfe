// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// A picture smoothed on the device: along its rows, then along its columns.
#pragma once

#include "common/device/plane.hpp"

namespace tutorial {

/// y as filter_definition() of x says, by two kernels with 2 filter_radius + 1 loads each for an output.
/// `between` is written by the first and read by the second. All are width x height, and none overlaps
/// another; the rest as for filter_square().
void filter_separable(device_plane_span<const float> x, device_plane_span<float> between,
                      device_plane_span<float> y, cudaStream_t stream = nullptr);

}  // namespace tutorial

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The mean of the 5 x 5 samples around each one: with tiles that threads load, or that one thread requests
// by a tensor map.
#pragma once

#include <cuda.h>
#include <cuda_runtime.h>

#include "common/device/plane.hpp"

namespace tutorial {

/// y at (row, col) = (the sum of x at (row - 2 .. row + 2, col - 2 .. col + 2)) / 25; samples outside x count
/// as zero. x and y have the same size and do not overlap. Launches in `stream` and does not wait. Throws
/// std::invalid_argument where the sizes differ, cuda_error for a launch that is refused.
void smooth_by_threads(device_plane_span<const float> x, device_plane_span<float> y,
                       cudaStream_t stream = nullptr);

/// The same. Also throws std::invalid_argument where x or its pitch is no multiple of 16 bytes, and
/// std::runtime_error on devices before compute capability 9.0, which have no tensor maps.
void smooth_by_map(device_plane_span<const float> x, device_plane_span<float> y,
                   cudaStream_t stream = nullptr);

/// The same, on the host.
plane<float> smooth_serial(const plane<float>& x);

/// For tiles of box_height rows of box_width floats; samples outside x are zero. Throws as smooth_by_map()
/// does, also where a side of the box is longer than 256, or box_width no multiple of 4.
CUtensorMap tensor_map_of(device_plane_span<const float> x, int box_width, int box_height);

}  // namespace tutorial

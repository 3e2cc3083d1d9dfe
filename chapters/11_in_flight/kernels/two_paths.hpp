// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The same work on two paths through a kernel, shared out among the lanes of a warp, or among warps.
#pragma once

#include "common/device/device_memory.hpp"

namespace tutorial {

/// Who takes the second path: every other lane of each warp, or every other warp.
enum class shared_out { by_lane, by_warp };

/// y[i] = x[i] after steps that the tables describe: v = up[s] * v + 1 for all s on the first path, v = 1 -
/// down[s] * v on the second. Elements with an odd i (by_lane), or an odd i / 32 (by_warp), go the second
/// path. x and y have the same length, below 2^31 - 256, and so do up and down; y overlaps nothing. Launches
/// and does not wait. Throws std::invalid_argument for other lengths, cuda_error for a launch that is
/// refused. Nothing is launched for an empty range.
void take_two_paths(device_span<const float> x, device_span<const float> up, device_span<const float> down,
                    device_span<float> y, shared_out how);

}  // namespace tutorial

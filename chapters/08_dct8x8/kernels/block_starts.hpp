// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Kernels that do next to nothing, in as many blocks as the versions of this chapter: what blocks alone
// cost.
#pragma once

#include <cstdint>

#include "common/device/kernel_facts.hpp"
#include "common/device/plane.hpp"

namespace tutorial {

/// How the two kernels below are launched.
enum class block_shape {
  threads_8_by_8,   ///< 64 threads, a block for each 8x8 block.
  threads_32_by_8,  ///< 256 threads, a block for four of them.
};

/// Threads for width x height values that return at once.
void start_threads(block_shape shape, int width, int height);
/// A thread for each value. Both have the same size; std::invalid_argument otherwise.
void copy_values(block_shape shape, device_plane_span<const float> from, device_plane_span<float> to);

/// The facts of the kernel behind start_threads().
kernel_facts start_threads_facts(block_shape shape);
/// The facts of the kernel behind copy_values().
kernel_facts copy_values_facts(block_shape shape);

/// Blocks that such a launch has.
std::int64_t blocks_for(block_shape shape, int width, int height);

}  // namespace tutorial

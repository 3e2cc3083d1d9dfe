// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// How many warps go from tile to tile: as many as the device can hold at once.
#pragma once

#include <algorithm>

#include "common/device/ceil_div.hpp"
#include "common/device/device_attribute.hpp"

namespace tutorial::detail {

/// A lane needs about 124 registers, its 16 matrices among them: 4 blocks of 128 threads fit.
constexpr int threads_of_warps = 128, blocks_of_warps = 4;

/// The blocks of threads for that many tiles, at least 1.
inline unsigned warp_blocks(int tiles) {
  const int multiprocessors = device_attribute(cudaDevAttrMultiProcessorCount);
  return unsigned(std::min(blocks_of_warps * multiprocessors, ceil_div(tiles, threads_of_warps / 32)));
}

}  // namespace tutorial::detail

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace tutorial {

/// A launch for a picture. A block of threads takes a rectangle of the picture; the rectangles at the right
/// and at the lower edge may reach beyond it. Sizes are in pixels.
struct picture_launch {
  std::int64_t width, height;
  std::int64_t block_width, block_height;
  std::int64_t bytes_per_pixel;  ///< Read and written, together.
};

/// What a device does in a microsecond at best.
struct device_rates {
  double blocks_per_us;  ///< Blocks that it starts.
  double bytes_per_us;   ///< Bytes that it moves.
};

/// The blocks of threads that the launch starts.
std::int64_t blocks_of(const picture_launch& launch);

/// The least time that the launch can take, in us. The device starts blocks and moves bytes at the same time,
/// and the launch ends when both are done. Only the picture's own pixels are moved.
double least_us(const picture_launch& launch, const device_rates& rates);

/// The smallest number of 8x8 blocks of pixels for each block of threads with which starting all blocks takes
/// no longer than moving all bytes. The picture consists of whole blocks of threads.
int least_8x8_blocks(const device_rates& rates, std::int64_t bytes_per_pixel);

}  // namespace tutorial

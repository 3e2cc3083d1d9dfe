// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Exercise 5: what the starts of its blocks cost a kernel, from its sizes and two rates of the device.
#include "block_starts.hpp"

#include <algorithm>
#include <cmath>

namespace tutorial {

std::int64_t blocks_of(const picture_launch& launch) {
  // SOLUTION: in each direction, enough blocks for all pixels (about 3 lines)
  // STARTER: return (launch.width / launch.block_width) * (launch.height / launch.block_height);
  const std::int64_t across = (launch.width + launch.block_width - 1) / launch.block_width;
  const std::int64_t down = (launch.height + launch.block_height - 1) / launch.block_height;
  return across * down;
  // END SOLUTION
}

double least_us(const picture_launch& launch, const device_rates& rates) {
  // SOLUTION: the starts take time, and the bytes take time: what follows for both? (about 3 lines)
  // STARTER: return double(launch.width * launch.height * launch.bytes_per_pixel) / rates.bytes_per_us;
  const double starts = double(blocks_of(launch)) / rates.blocks_per_us;
  const double bytes = double(launch.width * launch.height * launch.bytes_per_pixel) / rates.bytes_per_us;
  return std::max(starts, bytes);
  // END SOLUTION
}

int least_8x8_blocks(const device_rates& rates, std::int64_t bytes_per_pixel) {
  // SOLUTION: the bytes that are moved while one block starts, in 8x8 blocks of pixels (about 2 lines)
  // STARTER: (void)rates, (void)bytes_per_pixel;
  // STARTER: return 1;
  const double bytes_per_start = rates.bytes_per_us / rates.blocks_per_us;
  return int(std::ceil(bytes_per_start / double(64 * bytes_per_pixel)));
  // END SOLUTION
}

}  // namespace tutorial

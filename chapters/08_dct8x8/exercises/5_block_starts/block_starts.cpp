// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Exercise 5: what the starts of its blocks cost a kernel, from its sizes and two rates of the device.
#include "block_starts.hpp"

#include <algorithm>
#include <cmath>

namespace tutorial {

std::int64_t blocks_of(const picture_launch& launch) {
  // TODO: in each direction, enough blocks for all pixels (about 3 lines)
  return (launch.width / launch.block_width) * (launch.height / launch.block_height);
}

double least_us(const picture_launch& launch, const device_rates& rates) {
  // TODO: the starts take time, and the bytes take time: what follows for both? (about 3 lines)
  return double(launch.width * launch.height * launch.bytes_per_pixel) / rates.bytes_per_us;
}

int least_8x8_blocks(const device_rates& rates, std::int64_t bytes_per_pixel) {
  // TODO: the bytes that are moved while one block starts, in 8x8 blocks of pixels (about 2 lines)
  (void)rates, (void)bytes_per_pixel;
  return 1;
}

}  // namespace tutorial

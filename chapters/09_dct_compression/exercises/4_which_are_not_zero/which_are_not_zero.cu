// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Exercise 4: a warp asks which levels of four 8x8 blocks are not zero, in one request.
#include "which_are_not_zero.hpp"

#include "09_dct_compression/host/quantization.hpp"

namespace tutorial {
namespace {

constexpr unsigned all_lanes = 0xffffffff;
__constant__ std::uint8_t place_on_path[64];  // of level (v, u), at [8 * v + u]: 0 is DC, 63 the last

/// masks[b]: bit i is set if level i in zig-zag order of 8x8 block b is not zero. One warp per block; block y
/// is a row of 8x8 blocks.
__global__ void nonzero_masks_kernel(const std::int16_t* __restrict__ levels, int pitch,  // in levels
                                     int blocks_per_row, unsigned long long* __restrict__ masks) {
  const int lane = threadIdx.x;
  // TODO: who loads which eight levels; their bits, and those of a whole 8x8 block (about 12 lines)
  (void)levels, (void)pitch, (void)all_lanes;
  const int b = 4 * blockIdx.x + lane;
  if (lane < 4 && b < blocks_per_row) masks[blockIdx.y * blocks_per_row + b] = 0;
}

}  // namespace

void nonzero_masks(device_plane_span<const std::int16_t> levels, device_span<unsigned long long> masks) {
  std::uint8_t places[64];
  for (int i = 0; i < 64; ++i) places[zigzag_order()[std::size_t(i)]] = std::uint8_t(i);
  check(cudaMemcpyToSymbol(place_on_path, places, sizeof places));
  const int blocks_per_row = levels.width() / 8;
  const dim3 grid((blocks_per_row + 3) / 4, levels.height() / 8);
  nonzero_masks_kernel<<<grid, 32>>>(levels.data(), int(levels.pitch() / sizeof(std::int16_t)),
                                     blocks_per_row, masks.data());
  check(cudaGetLastError());
}

}  // namespace tutorial

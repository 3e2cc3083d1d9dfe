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
  // SOLUTION: who loads which eight levels; their bits, and those of a whole 8x8 block (about 12 lines)
  // STARTER: (void)levels, (void)pitch, (void)all_lanes;
  // STARTER: const int b = 4 * blockIdx.x + lane;
  // STARTER: if (lane < 4 && b < blocks_per_row) masks[blockIdx.y * blocks_per_row + b] = 0;
  const int v = lane / 4, b = 4 * blockIdx.x + lane % 4;  // four lanes side by side: 64 bytes of a row
  unsigned long long mask = 0;
  if (b < blocks_per_row) {
    uint4 eight;  // assigned and not initialized: clang would copy it element by element otherwise
    eight = *reinterpret_cast<const uint4*>(levels + (8 * blockIdx.y + v) * pitch + 8 * b);
    const unsigned pair[4] = {eight.x, eight.y, eight.z, eight.w};
    for (int u = 0; u < 8; ++u)
      if ((pair[u / 2] >> 16 * (u % 2) & 0xffff) != 0) mask |= 1ull << place_on_path[8 * v + u];
  }
  // lanes b, b + 4, ..., b + 28 have the rows of one 8x8 block
  for (int distance = 4; distance < 32; distance *= 2) mask |= __shfl_xor_sync(all_lanes, mask, distance);
  if (v == 0 && b < blocks_per_row) masks[blockIdx.y * blocks_per_row + b] = mask;
  // END SOLUTION
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

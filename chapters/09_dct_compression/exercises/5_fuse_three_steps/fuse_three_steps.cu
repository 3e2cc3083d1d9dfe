// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Exercise 5: level shift, DCT and quantizer in one kernel. Nothing between them touches global memory.
#include "fuse_three_steps.hpp"

#include <algorithm>

#include "08_dct8x8/kernels/dct8.cuh"
#include "common/device/check.hpp"

namespace tutorial {
namespace {

constexpr int threads_per_block = 256, tile_pitch = threads_per_block + 1;

/// A quantization table as an argument of a kernel: step(v, u) is at[8 * v + u].
struct step_sizes {
  float at[64];
};

/// Chapter 08's kernel of eight threads for an 8x8 block: a thread loads column x and ends with column u = x
/// of the coefficients. Pitches are in elements.
__global__ void fuse_three_steps_kernel(const std::uint8_t* pixels, int pixel_pitch, int width, int height,
                                        const __grid_constant__ step_sizes steps, std::int16_t* levels,
                                        int level_pitch, int padded_width) {
  __shared__ float tile[8][tile_pitch];
  const int t = threadIdx.x, i = t % 8, begin = t - i;
  const int col = blockIdx.x * blockDim.x + t, row = 8 * blockIdx.y;

  // TODO: steps where lanes may read different ones; then load, and shift the level (about 8 lines)
  (void)steps;
  if (col >= padded_width) return;
  float values[8];
  for (int y = 0; y < 8; ++y)
    values[y] = pixels[min(row + y, height - 1) * pixel_pitch + min(col, width - 1)];

  dct8(values);
  for (int k = 0; k < 8; ++k) tile[k][t] = values[k];
  __syncwarp();  // all columns are there before any thread reads a row
  for (int k = 0; k < 8; ++k) values[k] = tile[i][begin + k];
  dct8(values);
  for (int k = 0; k < 8; ++k) tile[i][begin + k] = values[k];
  __syncwarp();  // all rows are there before any thread reads a column

  // C[v][u] of this thread's column u = i is tile[v][t].
  // TODO: divide, round, and store whole numbers (about 2 lines)
  for (int v = 0; v < 8; ++v) levels[(row + v) * level_pitch + col] = std::int16_t(tile[v][t]);
}

}  // namespace

void fuse_three_steps(device_plane_span<const std::uint8_t> pixels, const quantization_table& steps,
                      device_plane_span<std::int16_t> levels) {
  step_sizes sizes;
  std::copy(steps.begin(), steps.end(), sizes.at);
  const dim3 blocks((levels.width() + threads_per_block - 1) / threads_per_block, levels.height() / 8);
  fuse_three_steps_kernel<<<blocks, threads_per_block>>>(
      pixels.data(), int(pixels.pitch()), pixels.width(), pixels.height(), sizes, levels.data(),
      int(levels.pitch() / sizeof(std::int16_t)), levels.width());
  check(cudaGetLastError());
}

}  // namespace tutorial

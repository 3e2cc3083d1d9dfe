// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Exercise 4: the edges in a picture, with hardly more than one load per pixel.
#include "find_edges.hpp"

#include "common/device/check.hpp"

namespace tutorial {
namespace {

constexpr int threads_per_block = 128;
// SOLUTION: what a thread or a warp owns, and the kernel (about 31 lines)
// STARTER: /// One thread per pixel, eight loads each: right where there are eight neighbors, nothing elsewhere.
// STARTER: __global__ void find_edges_kernel(const float* x, int width, int height, float* y) {
// STARTER:   const int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
// STARTER:   if (col < 1 || col >= width - 1 || row < 1 || row >= height - 1) return;
// STARTER:   const float* const above = x + (row - 1) * width + col;
// STARTER:   const float* const here = above + width;
// STARTER:   const float* const below = here + width;
// STARTER:   const float across = above[1] + 2 * here[1] + below[1] - above[-1] - 2 * here[-1] - below[-1];
// STARTER:   const float down = below[-1] + 2 * below[0] + below[1] - above[-1] - 2 * above[0] - above[1];
// STARTER:   y[row * width + col] = fabsf(across) + fabsf(down);
// STARTER: }
constexpr int columns_per_warp = 30;  // of its 32 columns the first and the last only lend their pixels
constexpr int rows_per_warp = 128;
constexpr unsigned all_lanes = 0xffffffff;

/// What a row gives to the pixels in it, and above and below them: both filters are products of one along the
/// row and one down the column.
struct row_part {
  float difference;  // right - left
  float sum;         // left + 2 center + right
};

/// A warp goes down rows_per_warp rows, a lane for each column, with a window of three rows in registers. A
/// pixel is loaded once, by the lane of its column; the neighbors get it from there.
__global__ void find_edges_kernel(const float* x, int width, int height, float* y) {
  const int warp = (blockIdx.x * threads_per_block + threadIdx.x) / 32, lane = threadIdx.x % 32;
  const int first_col = warp * columns_per_warp, col = first_col + lane - 1;
  if (first_col >= width) return;  // the whole warp: no lane is missing below
  const bool owns = 0 < lane && lane < 31 && col < width;
  const int first_row = blockIdx.y * rows_per_warp, end_row = min(first_row + rows_per_warp, height);
  row_part above{}, here{};
  for (int row = first_row - 1; row <= end_row; ++row) {
    const float* const pixels = x + min(max(row, 0), height - 1) * width;  // the first and last row, repeated
    const float center = col <= width ? pixels[min(max(col, 0), width - 1)] : 0.0f;
    const float left = __shfl_up_sync(all_lanes, center, 1);
    const float right = __shfl_down_sync(all_lanes, center, 1);
    const row_part below{right - left, left + 2 * center + right};
    if (owns && row > first_row)
      y[(row - 1) * width + col] =
          fabsf(above.difference + 2 * here.difference + below.difference) + fabsf(below.sum - above.sum);
    above = here;  // the window slides down
    here = below;
  }
}
// END SOLUTION

}  // namespace

void find_edges(device_span<const float> x, device_span<float> y, int width, int height) {
  // SOLUTION: as many blocks as your kernel needs (about 4 lines)
  // STARTER: const dim3 blocks((width + threads_per_block - 1) / threads_per_block, height);
  constexpr int columns_per_block = threads_per_block / 32 * columns_per_warp;
  const dim3 blocks((width + columns_per_block - 1) / columns_per_block,
                    (height + rows_per_warp - 1) / rows_per_warp);
  // END SOLUTION
  find_edges_kernel<<<blocks, threads_per_block>>>(x.data(), width, height, y.data());
  check(cudaGetLastError());
}

}  // namespace tutorial

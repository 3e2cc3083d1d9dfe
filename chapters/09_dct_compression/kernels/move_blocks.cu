// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The round trip without its arithmetic.
#include "move_blocks.hpp"

#include "block_memory.cuh"
#include "common/device/check.hpp"
#include "fused_launch.hpp"

namespace tutorial {
namespace {

using namespace detail;

constexpr int rows_of_threads = 2, threads_per_block = fused_columns * rows_of_threads;

// [kernel]
/// result = pixels.
__global__ void __launch_bounds__(threads_per_block)
    move_blocks_kernel(const std::uint8_t* pixels, std::size_t pixel_pitch, int width, int height,
                       std::uint8_t* result, std::size_t result_pitch) {
  const pixel_block at{static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x) * 8,
                       static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y) * 8, width, height};
  if (at.column >= width || at.row >= height) return;
  pixel_row rows[8];
  load_rows(pixels, pixel_pitch, at, rows);
  store_rows(result, result_pitch, at, rows);
}
// [kernel]

}  // namespace

void move_blocks(device_plane_span<const std::uint8_t> pixels, device_plane_span<std::uint8_t> result,
                 cudaStream_t stream) {
  const int width = pixels.width(), height = pixels.height();
  require_size(pixels, width, height, "pixels");
  require_size(result, width, height, "result");
  require_aligned_rows(pixels, sizeof(pixel_row), "pixels");
  require_aligned_rows(result, sizeof(pixel_row), "result");
  move_blocks_kernel<<<fused_grid(width, height, rows_of_threads), dim3(fused_columns, rows_of_threads), 0,
                       stream>>>(pixels.data(), pixels.pitch(), width, height, result.data(), result.pitch());
  check(cudaGetLastError());
}

}  // namespace tutorial

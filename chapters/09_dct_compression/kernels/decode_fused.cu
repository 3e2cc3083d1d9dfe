// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Levels in, pixels out: the way back, again with one thread for each 8x8 block.
#include "09_dct_compression/host/block_factors.hpp"
#include "block_memory.cuh"
#include "common/device/check.hpp"
#include "compress_fused.hpp"
#include "factorized_dct.cuh"
#include "fused_launch.hpp"

namespace tutorial {
namespace {

using namespace detail;

constexpr int rows_of_threads = 2, threads_per_block = fused_columns * rows_of_threads;

// [kernel]
/// pixels = clamp(round(128 + the inverse DCT of levels[v][u] steps[v][u])). Pitches are in bytes here.
// 12 blocks fit on a multiprocessor, because the compiler limits the kernel's registers per thread. While
// some warps wait for loads, others calculate.
__global__ void __launch_bounds__(threads_per_block, 12)
    decode_fused_kernel(const std::int16_t* levels, std::size_t level_pitch,
                        const __grid_constant__ block_factors factors, std::uint8_t* pixels,
                        std::size_t pixel_pitch, int width, int height) {
  const pixel_block at{static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x) * 8,
                       static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y) * 8, width, height};
  if (at.column >= width || at.row >= height) return;

  const char* const first =
      reinterpret_cast<const char*>(levels) + at.row * level_pitch + at.column * sizeof(std::int16_t);
  uint4 rows[8];  // levels exist for whole blocks: no edge here
#pragma unroll
  for (int v = 0; v < 8; ++v) rows[v] = *reinterpret_cast<const uint4*>(first + v * level_pitch);

  float x[64];
#pragma unroll
  for (int v = 0; v < 8; ++v) {
    const unsigned pair[4] = {rows[v].x, rows[v].y, rows[v].z, rows[v].w};
#pragma unroll
    for (int u = 0; u < 8; ++u) {
      const auto level = static_cast<std::int16_t>(pair[u / 2] >> (16 * (u % 2)));
      x[8 * v + u] = static_cast<float>(level) * factors.at[8 * v + u];
    }
    if (v == 0) x[0] += 128;  // back by the level shift: scaled as it is here, DC is the mean of the pixels
    idct8_scaled<1>(x + 8 * v);
  }
#pragma unroll
  for (int c = 0; c < 8; ++c) idct8_scaled<8>(x + c);
  pixel_row results[8];
#pragma unroll
  for (int r = 0; r < 8; ++r) {
    const float* const p = x + 8 * r;
    results[r] = make_uint2(four_pixels(p[0], p[1], p[2], p[3]), four_pixels(p[4], p[5], p[6], p[7]));
  }
  store_rows(pixels, pixel_pitch, at, results);
}
// [kernel]

}  // namespace

void decode_fused(device_plane_span<const std::int16_t> levels, const quantization_table& steps,
                  device_plane_span<std::uint8_t> pixels, cudaStream_t stream) {
  const int width = pixels.width(), height = pixels.height();
  require_size(pixels, width, height, "pixels");
  require_size(levels, padded(width), padded(height), "levels");
  require_aligned_rows(pixels, sizeof(pixel_row), "pixels");
  require_aligned_rows(levels, sizeof(uint4), "levels");
  decode_fused_kernel<<<fused_grid(width, height, rows_of_threads), dim3(fused_columns, rows_of_threads), 0,
                        stream>>>(levels.data(), levels.pitch(), decode_factors(steps), pixels.data(),
                                  pixels.pitch(), width, height);
  check(cudaGetLastError());
}

}  // namespace tutorial

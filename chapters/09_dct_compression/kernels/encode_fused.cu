// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Pixels in, levels out: a thread takes an 8x8 block and keeps it in its registers from the first load to
// the last store.
#include "09_dct_compression/host/block_factors.hpp"
#include "block_memory.cuh"
#include "common/device/check.hpp"
#include "compress_fused.hpp"
#include "factorized_dct.cuh"
#include "fused_launch.hpp"

namespace tutorial {
namespace {

using namespace detail;

constexpr int rows_of_threads = 4, threads_per_block = fused_columns * rows_of_threads;

// [kernel]
/// levels[v][u] = round(factors[v][u] F[v][u]), F = the scaled DCT of pixels - 128. Pitches are in bytes
/// here: a row is moved as words.
// 7 blocks fit on a multiprocessor, because the compiler limits the kernel's registers per thread. While
// some warps wait for loads, others calculate.
__global__ void __launch_bounds__(threads_per_block, 7)
    encode_fused_kernel(const std::uint8_t* pixels, std::size_t pixel_pitch, int width, int height,
                        const __grid_constant__ block_factors factors, std::int16_t* levels,
                        std::size_t level_pitch) {
  const pixel_block at{static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x) * 8,
                       static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y) * 8, width, height};
  if (at.column >= width || at.row >= height) return;

  pixel_row rows[8];
  load_rows(pixels, pixel_pitch, at, rows);
  float x[64];  // x[8 * r + c], then F[8 * v + u]; every index is known at compile time: registers
#pragma unroll
  for (int i = 0; i < 64; ++i) x[i] = static_cast<float>(byte_of(rows[i / 8], i % 8));
#pragma unroll
  for (int c = 0; c < 8; ++c) dct8_scaled<8>(x + c);

  char* const first =
      reinterpret_cast<char*>(levels) + at.row * level_pitch + at.column * sizeof(std::int16_t);
#pragma unroll
  for (int v = 0; v < 8; ++v) {
    dct8_scaled<1>(x + 8 * v);
    // The level shift: 128 less in every pixel is 64 * 128 less in the sum of all, and nothing elsewhere.
    if (v == 0) x[0] -= 64 * 128;
    unsigned pair[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const int left = 8 * v + 2 * i, right = left + 1;
      const float low = multiply_add(x[left], factors.at[left], whole_in_low_bits);
      const float high = multiply_add(x[right], factors.at[right], whole_in_low_bits);
      pair[i] = __byte_perm(__float_as_uint(low), __float_as_uint(high), 0x5410);  // the low halves of both
    }
    *reinterpret_cast<uint4*>(first + v * level_pitch) = make_uint4(pair[0], pair[1], pair[2], pair[3]);
  }
}
// [kernel]

}  // namespace

void encode_fused(device_plane_span<const std::uint8_t> pixels, const quantization_table& steps,
                  device_plane_span<std::int16_t> levels, cudaStream_t stream) {
  const int width = pixels.width(), height = pixels.height();
  require_size(pixels, width, height, "pixels");
  require_size(levels, padded(width), padded(height), "levels");
  require_aligned_rows(pixels, sizeof(pixel_row), "pixels");
  require_aligned_rows(levels, sizeof(uint4), "levels");
  encode_fused_kernel<<<fused_grid(width, height, rows_of_threads), dim3(fused_columns, rows_of_threads), 0,
                        stream>>>(pixels.data(), pixels.pitch(), width, height, encode_factors(steps),
                                  levels.data(), levels.pitch());
  check(cudaGetLastError());
}

}  // namespace tutorial

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Pixels in, pixels out: what compression does to a picture, without a level ever leaving the registers.
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

// [block]
/// The rows of a block there and back again: what a thread computes.
__device__ __forceinline__ void round_trip(pixel_row* rows, const block_factors& encode,
                                           const block_factors& decode) {
  float x[64];
#pragma unroll
  for (int i = 0; i < 64; ++i) x[i] = static_cast<float>(byte_of(rows[i / 8], i % 8));
#pragma unroll
  for (int c = 0; c < 8; ++c) dct8_scaled<8>(x + c);
#pragma unroll
  for (int v = 0; v < 8; ++v) {  // a row there and back again, before the next one
    dct8_scaled<1>(x + 8 * v);
    if (v == 0) x[0] -= 64 * 128;
#pragma unroll
    for (int u = 0; u < 8; ++u) {
      const int i = 8 * v + u;
      const float level = multiply_add(x[i], encode.at[i], whole_in_low_bits) - whole_in_low_bits;
      x[i] = level * decode.at[i];
    }
    if (v == 0) x[0] += 128;
    idct8_scaled<1>(x + 8 * v);
  }
#pragma unroll
  for (int c = 0; c < 8; ++c) idct8_scaled<8>(x + c);
#pragma unroll
  for (int r = 0; r < 8; ++r) {
    const float* const p = x + 8 * r;
    rows[r] = make_uint2(four_pixels(p[0], p[1], p[2], p[3]), four_pixels(p[4], p[5], p[6], p[7]));
  }
}
// [block]

// [kernel]
/// result = decode(encode(pixels)).
// 12 blocks fit on a multiprocessor, because the compiler limits the kernel's registers per thread. While
// some warps wait for loads, others calculate.
__global__ void __launch_bounds__(threads_per_block, 12)
    round_trip_fused_kernel(const std::uint8_t* pixels, std::size_t pixel_pitch, int width, int height,
                            const __grid_constant__ block_factors encode,
                            const __grid_constant__ block_factors decode, std::uint8_t* result,
                            std::size_t result_pitch) {
  const pixel_block at{static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x) * 8,
                       static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y) * 8, width, height};
  if (at.column >= width || at.row >= height) return;

  pixel_row rows[8];
  // The code is here twice, so that whole blocks don't pay for the edges.
  if (at.is_whole()) {
    load_whole_rows(pixels, pixel_pitch, at, rows);
    round_trip(rows, encode, decode);
    store_whole_rows(result, result_pitch, at, rows);
  } else {
    load_rows(pixels, pixel_pitch, at, rows);
    round_trip(rows, encode, decode);
    store_rows(result, result_pitch, at, rows);
  }
}
// [kernel]

}  // namespace

void round_trip_fused(device_plane_span<const std::uint8_t> pixels, const quantization_table& steps,
                      device_plane_span<std::uint8_t> result, cudaStream_t stream) {
  const int width = pixels.width(), height = pixels.height();
  require_size(pixels, width, height, "pixels");
  require_size(result, width, height, "result");
  require_aligned_rows(pixels, sizeof(pixel_row), "pixels");
  require_aligned_rows(result, sizeof(pixel_row), "result");
  round_trip_fused_kernel<<<fused_grid(width, height, rows_of_threads), dim3(fused_columns, rows_of_threads),
                            0, stream>>>(pixels.data(), pixels.pitch(), width, height, encode_factors(steps),
                                         decode_factors(steps), result.data(), result.pitch());
  check(cudaGetLastError());
}

}  // namespace tutorial

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The step that throws away: coefficients to levels, and what is left of them back.
#include "08_dct8x8/kernels/element_launch.hpp"
#include "09_dct_compression/host/block_factors.hpp"
#include "codec_steps.hpp"
#include "common/device/check.hpp"

namespace tutorial {
namespace {

using namespace detail;

/// In the block of threads every eighth row and column begins an 8x8 block: thread (x, y) meets the step of
/// (y, x % 8).
static_assert(element_rows == 8 && element_columns % 8 == 0);

// [quantize]
/// levels[row][col] = round(coefficients[row][col] / steps[8 * (row % 8) + col % 8]).
__global__ void quantize_kernel(const float* coefficients, std::int64_t coefficients_pitch,
                                const __grid_constant__ block_factors steps, std::int16_t* levels,
                                std::int64_t levels_pitch, int width, int height) {
  // Neighbors have different steps. Constant memory serves one address at a time, shared memory all 32 lanes
  // at once.
  __shared__ float step[64];
  const int thread = threadIdx.y * blockDim.x + threadIdx.x;
  if (thread < 64) step[thread] = steps.at[thread];
  __syncthreads();  // all steps are there before any thread divides

  const int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (col >= width || row >= height) return;
  const float level = roundf(coefficients[row * coefficients_pitch + col] / step[8 * (row % 8) + col % 8]);
  levels[row * levels_pitch + col] = static_cast<std::int16_t>(level);
}
// [quantize]

/// coefficients[row][col] = levels[row][col] * steps[8 * (row % 8) + col % 8].
__global__ void dequantize_kernel(const std::int16_t* levels, std::int64_t levels_pitch,
                                  const __grid_constant__ block_factors steps, float* coefficients,
                                  std::int64_t coefficients_pitch, int width, int height) {
  __shared__ float step[64];
  const int thread = threadIdx.y * blockDim.x + threadIdx.x;
  if (thread < 64) step[thread] = steps.at[thread];
  __syncthreads();  // all steps are there before any thread multiplies

  const int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (col >= width || row >= height) return;
  coefficients[row * coefficients_pitch + col] =
      levels[row * levels_pitch + col] * step[8 * (row % 8) + col % 8];
}

}  // namespace

void quantize(device_plane_span<const float> coefficients, const quantization_table& steps,
              device_plane_span<std::int16_t> levels, cudaStream_t stream) {
  require_same_size(coefficients, levels, "quantize");
  require_whole_blocks(levels, "quantize");
  quantize_kernel<<<element_grid(levels.width(), levels.height()), dim3(element_columns, element_rows), 0,
                    stream>>>(coefficients.data(), pitch_in_elements(coefficients), plain_factors(steps),
                              levels.data(), pitch_in_elements(levels), levels.width(), levels.height());
  check(cudaGetLastError());
}

void dequantize(device_plane_span<const std::int16_t> levels, const quantization_table& steps,
                device_plane_span<float> coefficients, cudaStream_t stream) {
  require_same_size(levels, coefficients, "dequantize");
  require_whole_blocks(levels, "dequantize");
  dequantize_kernel<<<element_grid(levels.width(), levels.height()), dim3(element_columns, element_rows), 0,
                      stream>>>(levels.data(), pitch_in_elements(levels), plain_factors(steps),
                                coefficients.data(), pitch_in_elements(coefficients), levels.width(),
                                levels.height());
  check(cudaGetLastError());
}

}  // namespace tutorial

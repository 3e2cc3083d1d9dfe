// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// A block of 64 threads for each 8x8 block, in the quantizer too: thread (x, y) has the coefficient (y, x).
#include "compress_per_coefficient.hpp"

#include "08_dct8x8/host/dct_serial.hpp"
#include "08_dct8x8/kernels/element_launch.hpp"
#include "09_dct_compression/host/block_factors.hpp"
#include "codec_steps.hpp"
#include "common/device/check.hpp"

namespace tutorial {
namespace {

using namespace detail;

// [kernel]
/// levels[row][col] = round(coefficients[row][col] / steps[8 * y + x]). A kernel's arguments lie in constant
/// memory, which the 32 lanes of a warp ask for 32 different steps: it serves them one after the other.
__global__ void __launch_bounds__(64)
    quantize_per_coefficient_kernel(const float* coefficients, std::int64_t coefficients_pitch,
                                    const __grid_constant__ block_factors steps, std::int16_t* levels,
                                    std::int64_t levels_pitch) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  const float step = steps.at[8 * threadIdx.y + threadIdx.x];
  levels[row * levels_pitch + col] =
      static_cast<std::int16_t>(roundf(coefficients[row * coefficients_pitch + col] / step));
}
// [kernel]

/// coefficients[row][col] = levels[row][col] * steps[8 * y + x], one thread per coefficient.
__global__ void __launch_bounds__(64)
    dequantize_per_coefficient_kernel(const std::int16_t* levels, std::int64_t levels_pitch,
                                      const __grid_constant__ block_factors steps, float* coefficients,
                                      std::int64_t coefficients_pitch) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  coefficients[row * coefficients_pitch + col] =
      levels[row * levels_pitch + col] * steps.at[8 * threadIdx.y + threadIdx.x];
}

template <class A, class B>
dim3 checked_grid(const A& from, const B& to) {
  require_same_size(from, to, "the quantizer");
  require_whole_blocks(from, "the quantizer");
  return dim3(unsigned(from.width() / 8), unsigned(from.height() / 8));
}

}  // namespace

per_coefficient_codec::per_coefficient_codec(int width, int height)
    : shifted_(width, height),
      coefficients_(padded(width), padded(height)),
      shifted_texture_(shifted_.span()),
      coefficients_texture_(coefficients_.span()) {}

void per_coefficient_codec::encode(device_plane_span<const std::uint8_t> pixels,
                                   const quantization_table& steps, device_plane_span<std::int16_t> levels,
                                   cudaStream_t stream) {
  const dim3 blocks = checked_grid(coefficients_.span(), levels), threads(8, 8);
  shift_levels(pixels, shifted_, stream);
  dct8x8_textured(shifted_texture_, coefficients_, stream);
  quantize_per_coefficient_kernel<<<blocks, threads, 0, stream>>>(
      coefficients_.span().data(), pitch_in_elements(coefficients_.span()), plain_factors(steps),
      levels.data(), pitch_in_elements(levels));
  check(cudaGetLastError());
}

void per_coefficient_codec::decode(device_plane_span<const std::int16_t> levels,
                                   const quantization_table& steps, device_plane_span<std::uint8_t> pixels,
                                   cudaStream_t stream) {
  const dim3 blocks = checked_grid(levels, coefficients_.span()), threads(8, 8);
  dequantize_per_coefficient_kernel<<<blocks, threads, 0, stream>>>(
      levels.data(), pitch_in_elements(levels), plain_factors(steps), coefficients_.span().data(),
      pitch_in_elements(coefficients_.span()));
  check(cudaGetLastError());
  idct8x8_textured(coefficients_texture_, shifted_, stream);
  to_pixels(shifted_, pixels, stream);
}

}  // namespace tutorial

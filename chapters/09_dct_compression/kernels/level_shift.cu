// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The first step and the last: pixels of 8 bits to floats around zero, and back.
#include "08_dct8x8/kernels/element_launch.hpp"
#include "codec_steps.hpp"
#include "common/device/check.hpp"

namespace tutorial {
namespace {

using namespace detail;

// [shift]
/// shifted[row][col] = pixels[row][col] - 128.
__global__ void shift_levels_kernel(const std::uint8_t* pixels, std::int64_t pixels_pitch, float* shifted,
                                    std::int64_t shifted_pitch, int width, int height) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (col >= width || row >= height) return;
  shifted[row * shifted_pitch + col] = static_cast<float>(pixels[row * pixels_pitch + col] - 128);
}
// [shift]

/// pixels[row][col] = clamp(round(shifted[row][col] + 128)).
__global__ void to_pixels_kernel(const float* shifted, std::int64_t shifted_pitch, std::uint8_t* pixels,
                                 std::int64_t pixels_pitch, int width, int height) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (col >= width || row >= height) return;
  const int nearest = __float2int_rn(shifted[row * shifted_pitch + col] + 128);
  pixels[row * pixels_pitch + col] = static_cast<std::uint8_t>(min(max(nearest, 0), 255));
}

}  // namespace

void shift_levels(device_plane_span<const std::uint8_t> pixels, device_plane_span<float> shifted,
                  cudaStream_t stream) {
  require_same_size(pixels, shifted, "shift_levels");
  shift_levels_kernel<<<element_grid(pixels.width(), pixels.height()), dim3(element_columns, element_rows), 0,
                        stream>>>(pixels.data(), pitch_in_elements(pixels), shifted.data(),
                                  pitch_in_elements(shifted), pixels.width(), pixels.height());
  check(cudaGetLastError());
}

void to_pixels(device_plane_span<const float> shifted, device_plane_span<std::uint8_t> pixels,
               cudaStream_t stream) {
  require_same_size(shifted, pixels, "to_pixels");
  to_pixels_kernel<<<element_grid(pixels.width(), pixels.height()), dim3(element_columns, element_rows), 0,
                     stream>>>(shifted.data(), pitch_in_elements(shifted), pixels.data(),
                               pitch_in_elements(pixels), pixels.width(), pixels.height());
  check(cudaGetLastError());
}

}  // namespace tutorial

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The same with input from a texture: the hardware repeats the last column and row, and no index is clamped.
#include "08_dct8x8/host/dct_sizes.hpp"
#include "common/device/device_attribute.hpp"
#include "dct8x8_textured.hpp"
#include "dct_table.cuh"

namespace tutorial {
namespace {

__constant__ dct_table matrix = make_dct_table();

// [kernel]
/// C = A X A^T. Thread (x, y) stages pixel X[y][x], and ends with coefficient C[v = y][u = x].
__global__ void __launch_bounds__(64)
    dct8x8_textured_kernel(cudaTextureObject_t pixels, float* coefficients, std::int64_t coefficients_pitch) {
  __shared__ float pixel[8][8], half[8][8];
  const int x = threadIdx.x, y = threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;

  pixel[y][x] = tex2D<float>(pixels, col + 0.5f, row + 0.5f);  // the center of the texel
  __syncthreads();  // every pixel is staged before any thread adds up a column

  // half = A X
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 8; ++k) sum += matrix.a[y][k] * pixel[k][x];
  half[y][x] = sum;
  __syncthreads();  // half is written by all before any thread adds up a row of it

  // C = half A^T
  sum = 0;
#pragma unroll
  for (int k = 0; k < 8; ++k) sum += half[y][k] * matrix.a[x][k];
  coefficients[row * coefficients_pitch + col] = sum;
}
// [kernel]

/// X = A^T C A. Thread (x, y) stages coefficient C[y][x], and ends with pixel X[y][x].
__global__ void __launch_bounds__(64)
    idct8x8_textured_kernel(cudaTextureObject_t coefficients, float* pixels, std::int64_t pixels_pitch,
                            int width, int height) {
  __shared__ float coefficient[8][8], half[8][8];
  const int x = threadIdx.x, y = threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;

  coefficient[y][x] = tex2D<float>(coefficients, col + 0.5f, row + 0.5f);
  __syncthreads();  // every coefficient is staged before any thread adds up a column

  // half = A^T C
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 8; ++k) sum += matrix.a[k][y] * coefficient[k][x];
  half[y][x] = sum;
  __syncthreads();  // half is written by all before any thread adds up a row of it

  // X = half A, where there is a pixel
  if (row >= height || col >= width) return;
  sum = 0;
#pragma unroll
  for (int k = 0; k < 8; ++k) sum += half[y][k] * matrix.a[k][x];
  pixels[row * pixels_pitch + col] = sum;
}

}  // namespace

// [texture]
plane_texture::plane_texture(device_plane_span<const float> values)
    : width_(values.width()), height_(values.height()) {
  if (reinterpret_cast<std::uintptr_t>(values.data()) % device_attribute(cudaDevAttrTextureAlignment) != 0 ||
      values.pitch() % device_attribute(cudaDevAttrTexturePitchAlignment) != 0)
    throw std::invalid_argument("plane_texture: rows that do not begin where a texture's must");
  cudaResourceDesc what{};  // rows of float in linear memory
  what.resType = cudaResourceTypePitch2D;
  what.res.pitch2D.devPtr = const_cast<float*>(values.data());
  what.res.pitch2D.desc = cudaCreateChannelDesc<float>();
  what.res.pitch2D.width = static_cast<std::size_t>(width_);
  what.res.pitch2D.height = static_cast<std::size_t>(height_);
  what.res.pitch2D.pitchInBytes = values.pitch();
  cudaTextureDesc how{};
  how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;  // beyond the edge: the nearest texel
  how.filterMode = cudaFilterModePoint;                            // no mixing of neighbors
  how.readMode = cudaReadModeElementType;                          // as it is stored
  how.normalizedCoords = 0;                                        // counted in texels, not in widths
  check(cudaCreateTextureObject(&object_, &what, &how, nullptr));
}

plane_texture::~plane_texture() {
  if (object_ != 0) cudaDestroyTextureObject(object_);
}
// [texture]

void dct8x8_textured(const plane_texture& pixels, device_plane_span<float> coefficients,
                     cudaStream_t stream) {
  detail::require_dct_sizes(pixels.width(), pixels.height(), coefficients.width(), coefficients.height());
  const dim3 threads(8, 8), blocks(unsigned(coefficients.width() / 8), unsigned(coefficients.height() / 8));
  dct8x8_textured_kernel<<<blocks, threads, 0, stream>>>(pixels.object(), coefficients.data(),
                                                         detail::pitch_in_elements(coefficients));
  check(cudaGetLastError());
}

void idct8x8_textured(const plane_texture& coefficients, device_plane_span<float> pixels,
                      cudaStream_t stream) {
  detail::require_dct_sizes(pixels.width(), pixels.height(), coefficients.width(), coefficients.height());
  const dim3 threads(8, 8), blocks(unsigned(coefficients.width() / 8), unsigned(coefficients.height() / 8));
  idct8x8_textured_kernel<<<blocks, threads, 0, stream>>>(coefficients.object(), pixels.data(),
                                                          detail::pitch_in_elements(pixels), pixels.width(),
                                                          pixels.height());
  check(cudaGetLastError());
}

void dct8x8_textured(device_plane_span<const float> pixels, device_plane_span<float> coefficients) {
  const plane_texture texture(pixels);
  dct8x8_textured(texture, coefficients);
  check(cudaDeviceSynchronize());
}

void idct8x8_textured(device_plane_span<const float> coefficients, device_plane_span<float> pixels) {
  const plane_texture texture(coefficients);
  idct8x8_textured(texture, pixels);
  check(cudaDeviceSynchronize());
}

kernel_facts dct8x8_textured_facts() { return facts_of(dct8x8_textured_kernel, 64); }

}  // namespace tutorial

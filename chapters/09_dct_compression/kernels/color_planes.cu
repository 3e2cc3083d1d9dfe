// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Red, green and blue to brightness and color, in whole numbers: what color.cpp says, and so the same bits.
#include <string>

#include "08_dct8x8/kernels/element_launch.hpp"
#include "09_dct_compression/host/color_factors.hpp"
#include "block_memory.cuh"
#include "color_planes.hpp"
#include "common/device/ceil_div.hpp"
#include "common/device/check.hpp"
#include "fused_launch.hpp"

namespace tutorial {
namespace {

using namespace detail;

/// A thread takes this many neighbors of a row, so that it moves words and not bytes: three of R, G, B in
/// turn, one of each plane. A warp's words lie side by side.
constexpr int pixels_of_thread = 8;

/// Byte i of R, G, B, R, ... of 8 pixels, 0 <= i < 24.
__device__ __forceinline__ int byte_of(const pixel_row (&rgb)[3], int i) {
  return int(tutorial::byte_of(rgb[i / 8], i % 8));
}

/// Makes byte i of a row that is all zeros there this one, 0 <= byte < 256.
__device__ __forceinline__ void put(pixel_row& row, int i, int byte) {
  (i < 4 ? row.x : row.y) |= unsigned(byte) << (8 * (i & 3));
}

/// Values col to col + count - 1 of a row of `width`, count 4 or 8, the last one repeated over the edge.
template <int count>
__device__ __forceinline__ pixel_row load_values(const std::uint8_t* line, int col, int width) {
  if (col + count <= width) {
    if constexpr (count == 8) return *reinterpret_cast<const pixel_row*>(line + col);
    return make_uint2(*reinterpret_cast<const unsigned*>(line + col), 0);
  }
  pixel_row values = make_uint2(0, 0);
#pragma unroll
  for (int i = 0; i < count; ++i) put(values, i, line[min(col + i, width - 1)]);
  return values;
}

/// Writes those of them that are inside.
template <int count>
__device__ __forceinline__ void store_values(std::uint8_t* line, int col, int width,
                                             const pixel_row& values) {
  if (col + count <= width) {
    if constexpr (count == 8)
      *reinterpret_cast<pixel_row*>(line + col) = values;
    else
      *reinterpret_cast<unsigned*>(line + col) = values.x;
    return;
  }
#pragma unroll
  for (int i = 0; i < count; ++i)
    if (col + i < width) line[col + i] = static_cast<std::uint8_t>(tutorial::byte_of(values, i));
}

/// R, G, B of pixels col to col + 7, the last one repeated over the edge.
__device__ __forceinline__ void load_rgb(const std::uint8_t* line, int col, int width, pixel_row (&rgb)[3]) {
  const std::uint8_t* const first = line + 3 * std::int64_t{col};
  if (col + pixels_of_thread <= width) {
#pragma unroll
    for (int k = 0; k < 3; ++k) rgb[k] = reinterpret_cast<const pixel_row*>(first)[k];
    return;
  }
#pragma unroll
  for (int k = 0; k < 3; ++k) rgb[k] = make_uint2(0, 0);
#pragma unroll
  for (int i = 0; i < 24; ++i) put(rgb[i / 8], i % 8, first[3 * min(i / 3, width - 1 - col) + i % 3]);
}

/// Writes those of them that are inside.
__device__ __forceinline__ void store_rgb(std::uint8_t* line, int col, int width, const pixel_row (&rgb)[3]) {
  std::uint8_t* const first = line + 3 * std::int64_t{col};
  if (col + pixels_of_thread <= width) {
#pragma unroll
    for (int k = 0; k < 3; ++k) reinterpret_cast<pixel_row*>(first)[k] = rgb[k];
    return;
  }
#pragma unroll
  for (int i = 0; i < 24; ++i)
    if (col + i / 3 < width) first[i] = static_cast<std::uint8_t>(byte_of(rgb, i));
}

struct ycbcr {
  int y, cb, cr;
};

/// Pixel i of 8.
__device__ __forceinline__ ycbcr ycbcr_of(const pixel_row (&rgb)[3], int i) {
  const int r = byte_of(rgb, 3 * i), g = byte_of(rgb, 3 * i + 1), b = byte_of(rgb, 3 * i + 2);
  return {(y_red * r + y_green * g + y_blue * b + half) >> places,
          (one_half * b - cb_red * r - cb_green * g + color_offset) >> places,
          (one_half * r - cr_green * g - cr_blue * b + color_offset) >> places};
}

/// A row of 8 pixels a thread: brightness and both colors of each pixel, as ycbcr_of() has them. Pitches in
/// bytes.
__global__ void split_444_kernel(const std::uint8_t* rgb, std::int64_t rgb_pitch, int width, int height,
                                 std::uint8_t* y, std::int64_t y_pitch, std::uint8_t* cb,
                                 std::int64_t cb_pitch, std::uint8_t* cr, std::int64_t cr_pitch) {
  const int col = pixels_of_thread * (blockIdx.x * blockDim.x + threadIdx.x);
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (col >= width || row >= height) return;
  pixel_row pixels[3], light = make_uint2(0, 0), blue = light, red = light;
  load_rgb(rgb + row * rgb_pitch, col, width, pixels);
#pragma unroll
  for (int i = 0; i < pixels_of_thread; ++i) {
    const ycbcr pixel = ycbcr_of(pixels, i);
    put(light, i, pixel.y);
    put(blue, i, pixel.cb);
    put(red, i, pixel.cr);
  }
  store_values<8>(y + row * y_pitch, col, width, light);
  store_values<8>(cb + row * cb_pitch, col, width, blue);
  store_values<8>(cr + row * cr_pitch, col, width, red);
}

// [split]
/// Each thread reads two rows of 8 pixels, with those at the edge repeated, and makes four samples per color:
/// color = (a + b + c + d + bias) / 4, with a bias of 1 in even columns and 2 in odd ones.
__global__ void split_420_kernel(const std::uint8_t* rgb, std::int64_t rgb_pitch, int width, int height,
                                 std::uint8_t* y, std::int64_t y_pitch, std::uint8_t* cb,
                                 std::int64_t cb_pitch, std::uint8_t* cr, std::int64_t cr_pitch) {
  const int col = pixels_of_thread * (blockIdx.x * blockDim.x + threadIdx.x);
  const int color_row = blockIdx.y * blockDim.y + threadIdx.y;  // [0, (height + 1) / 2)
  if (col >= width || 2 * color_row >= height) return;
  int cb_sums[4] = {1, 2, 1, 2}, cr_sums[4] = {1, 2, 1, 2};
#pragma unroll
  for (int row = 2 * color_row; row < 2 * color_row + 2; ++row) {
    pixel_row pixels[3], light = make_uint2(0, 0);
    load_rgb(rgb + min(row, height - 1) * rgb_pitch, col, width, pixels);
#pragma unroll
    for (int i = 0; i < pixels_of_thread; ++i) {
      const ycbcr pixel = ycbcr_of(pixels, i);
      put(light, i, pixel.y);
      cb_sums[i / 2] += pixel.cb;
      cr_sums[i / 2] += pixel.cr;
    }
    if (row < height) store_values<8>(y + row * y_pitch, col, width, light);
  }
  pixel_row blue = make_uint2(0, 0), red = blue;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    put(blue, i, cb_sums[i] / 4);
    put(red, i, cr_sums[i] / 4);
  }
  store_values<4>(cb + color_row * cb_pitch, col / 2, (width + 1) / 2, blue);
  store_values<4>(cr + color_row * cr_pitch, col / 2, (width + 1) / 2, red);
}
// [split]

__device__ __forceinline__ int clamped(int value) { return min(max(value, 0), 255); }

/// 8 pixels a thread; the color of a pixel is that of (row >> shift, col >> shift).
template <int shift>
__global__ void join_kernel(const std::uint8_t* y, std::int64_t y_pitch, const std::uint8_t* cb,
                            std::int64_t cb_pitch, const std::uint8_t* cr, std::int64_t cr_pitch,
                            std::uint8_t* rgb, std::int64_t rgb_pitch, int width, int height) {
  const int col = pixels_of_thread * (blockIdx.x * blockDim.x + threadIdx.x);
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (col >= width || row >= height) return;
  constexpr int colors = pixels_of_thread >> shift;
  const int color_col = col >> shift, color_width = (width + shift) >> shift;
  const pixel_row light = load_values<8>(y + row * y_pitch, col, width);
  const pixel_row blue = load_values<colors>(cb + (row >> shift) * cb_pitch, color_col, color_width);
  const pixel_row red = load_values<colors>(cr + (row >> shift) * cr_pitch, color_col, color_width);
  pixel_row pixels[3] = {make_uint2(0, 0), make_uint2(0, 0), make_uint2(0, 0)};
  const auto put_byte = [&](int i, int value) { put(pixels[i / 8], i % 8, clamped(value)); };
#pragma unroll
  for (int i = 0; i < pixels_of_thread; ++i) {
    const int l = int(tutorial::byte_of(light, i));
    const int b = int(tutorial::byte_of(blue, i >> shift)) - 128;
    const int r = int(tutorial::byte_of(red, i >> shift)) - 128;
    put_byte(3 * i, l + ((red_cr * r + half) >> places));
    put_byte(3 * i + 1, l + ((half - green_cb * b - green_cr * r) >> places));
    put_byte(3 * i + 2, l + ((blue_cb * b + half) >> places));
  }
  store_rgb(rgb + row * rgb_pitch, col, width, pixels);
}

dim3 color_grid(int width, int rows) { return element_grid(ceil_div(width, pixels_of_thread), rows); }

/// Throws std::invalid_argument unless the planes belong together, and their rows can be read in words.
template <class Rgb, class Plane>
void require_sizes(const Rgb& rgb, const Plane& y, const Plane& cb, const Plane& cr,
                   chroma_sampling sampling) {
  const int width = y.width(), height = y.height();
  const bool halves = sampling == chroma_sampling::s420;
  const int color_width = halves ? half_as_many(width) : width;
  const int color_height = halves ? half_as_many(height) : height;
  const bool fits = width >= 1 && height >= 1 && height <= element_rows * 65535 && rgb.height() == height &&
                    rgb.width() == 3 * std::int64_t{width} && cb.width() == color_width &&
                    cb.height() == color_height && cr.width() == color_width && cr.height() == color_height;
  if (!fits)
    throw std::invalid_argument("colors: Y is " + std::to_string(width) + " x " + std::to_string(height) +
                                ", and the rows of R, G, B or the planes of color do not fit to it");
  require_aligned_rows(rgb, 8, "R, G, B");
  require_aligned_rows(y, 8, "Y");
  require_aligned_rows(cb, halves ? 4 : 8, "Cb");
  require_aligned_rows(cr, halves ? 4 : 8, "Cr");
}

}  // namespace

void split_colors(device_plane_span<const std::uint8_t> rgb, device_plane_span<std::uint8_t> y,
                  device_plane_span<std::uint8_t> cb, device_plane_span<std::uint8_t> cr,
                  chroma_sampling sampling, cudaStream_t stream) {
  require_sizes(rgb, y, cb, cr, sampling);
  const dim3 threads(element_columns, element_rows), blocks = color_grid(y.width(), cb.height());
  const auto launch = [&](auto kernel) {
    kernel<<<blocks, threads, 0, stream>>>(rgb.data(), pitch_in_elements(rgb), y.width(), y.height(),
                                           y.data(), pitch_in_elements(y), cb.data(), pitch_in_elements(cb),
                                           cr.data(), pitch_in_elements(cr));
  };
  if (sampling == chroma_sampling::s420)
    launch(split_420_kernel);
  else
    launch(split_444_kernel);
  check(cudaGetLastError());
}

void join_colors(device_plane_span<const std::uint8_t> y, device_plane_span<const std::uint8_t> cb,
                 device_plane_span<const std::uint8_t> cr, chroma_sampling sampling,
                 device_plane_span<std::uint8_t> rgb, cudaStream_t stream) {
  require_sizes(rgb, y, cb, cr, sampling);
  const dim3 threads(element_columns, element_rows), blocks = color_grid(y.width(), y.height());
  const auto launch = [&](auto kernel) {
    kernel<<<blocks, threads, 0, stream>>>(y.data(), pitch_in_elements(y), cb.data(), pitch_in_elements(cb),
                                           cr.data(), pitch_in_elements(cr), rgb.data(),
                                           pitch_in_elements(rgb), y.width(), y.height());
  };
  if (sampling == chroma_sampling::s420)
    launch(join_kernel<1>);
  else
    launch(join_kernel<0>);
  check(cudaGetLastError());
}

}  // namespace tutorial

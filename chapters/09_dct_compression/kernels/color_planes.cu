// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// Red, green and blue to brightness and color, in whole numbers: what color.cpp says, and so the same bits.
#include <string>

#include "08_dct8x8/kernels/element_launch.hpp"
#include "09_dct_compression/host/color_factors.hpp"
#include "color_planes.hpp"
#include "common/device/check.hpp"

namespace tutorial {
namespace {

using namespace detail;

struct ycbcr {
  int y, cb, cr;
};

__device__ __forceinline__ ycbcr ycbcr_at(const std::uint8_t* rgb, std::int64_t pitch, int row, int col) {
  const std::uint8_t* const pixel = rgb + row * pitch + 3 * std::int64_t{col};
  const int r = pixel[0], g = pixel[1], b = pixel[2];
  return {(y_red * r + y_green * g + y_blue * b + half) >> places,
          (one_half * b - cb_red * r - cb_green * g + color_offset) >> places,
          (one_half * r - cr_green * g - cr_blue * b + color_offset) >> places};
}

/// One pixel a thread.
__global__ void split_444_kernel(const std::uint8_t* rgb, std::int64_t rgb_pitch, int width, int height,
                                 std::uint8_t* y, std::int64_t y_pitch, std::uint8_t* cb,
                                 std::int64_t cb_pitch, std::uint8_t* cr, std::int64_t cr_pitch) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (col >= width || row >= height) return;
  const ycbcr pixel = ycbcr_at(rgb, rgb_pitch, row, col);
  y[row * y_pitch + col] = static_cast<std::uint8_t>(pixel.y);
  cb[row * cb_pitch + col] = static_cast<std::uint8_t>(pixel.cb);
  cr[row * cr_pitch + col] = static_cast<std::uint8_t>(pixel.cr);
}

// [split]
/// One sample of color a thread: four pixels, those beyond the edge repeated.
/// color = (a + b + c + d + bias) / 4, with a bias of 1 in even columns and 2 in odd ones.
__global__ void split_420_kernel(const std::uint8_t* rgb, std::int64_t rgb_pitch, int width, int height,
                                 std::uint8_t* y, std::int64_t y_pitch, std::uint8_t* cb,
                                 std::int64_t cb_pitch, std::uint8_t* cr, std::int64_t cr_pitch) {
  const int color_col = blockIdx.x * blockDim.x + threadIdx.x;  // [0, (width + 1) / 2)
  const int color_row = blockIdx.y * blockDim.y + threadIdx.y;  // [0, (height + 1) / 2)
  if (2 * color_col >= width || 2 * color_row >= height) return;
  int cb_sum = 1 + color_col % 2, cr_sum = cb_sum;
  for (int i = 0; i < 4; ++i) {
    const int col = 2 * color_col + i % 2, row = 2 * color_row + i / 2;
    const ycbcr pixel = ycbcr_at(rgb, rgb_pitch, min(row, height - 1), min(col, width - 1));
    cb_sum += pixel.cb;
    cr_sum += pixel.cr;
    if (col < width && row < height) y[row * y_pitch + col] = static_cast<std::uint8_t>(pixel.y);
  }
  cb[color_row * cb_pitch + color_col] = static_cast<std::uint8_t>(cb_sum / 4);
  cr[color_row * cr_pitch + color_col] = static_cast<std::uint8_t>(cr_sum / 4);
}
// [split]

__device__ __forceinline__ std::uint8_t clamped(int value) {
  return static_cast<std::uint8_t>(min(max(value, 0), 255));
}

/// One pixel a thread; its color is that of (row >> shift, col >> shift).
__global__ void join_kernel(const std::uint8_t* y, std::int64_t y_pitch, const std::uint8_t* cb,
                            std::int64_t cb_pitch, const std::uint8_t* cr, std::int64_t cr_pitch, int shift,
                            std::uint8_t* rgb, std::int64_t rgb_pitch, int width, int height) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (col >= width || row >= height) return;
  const int light = y[row * y_pitch + col];
  const int b = cb[(row >> shift) * cb_pitch + (col >> shift)] - 128;
  const int r = cr[(row >> shift) * cr_pitch + (col >> shift)] - 128;
  std::uint8_t* const pixel = rgb + row * rgb_pitch + 3 * std::int64_t{col};
  pixel[0] = clamped(light + ((red_cr * r + half) >> places));
  pixel[1] = clamped(light + ((half - green_cb * b - green_cr * r) >> places));
  pixel[2] = clamped(light + ((blue_cb * b + half) >> places));
}

/// Throws std::invalid_argument unless the planes belong together.
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
}

}  // namespace

void split_colors(device_plane_span<const std::uint8_t> rgb, device_plane_span<std::uint8_t> y,
                  device_plane_span<std::uint8_t> cb, device_plane_span<std::uint8_t> cr,
                  chroma_sampling sampling) {
  require_sizes(rgb, y, cb, cr, sampling);
  const dim3 threads(element_columns, element_rows), blocks = element_grid(cb.width(), cb.height());
  const auto launch = [&](auto kernel) {
    kernel<<<blocks, threads>>>(rgb.data(), pitch_in_elements(rgb), y.width(), y.height(), y.data(),
                                pitch_in_elements(y), cb.data(), pitch_in_elements(cb), cr.data(),
                                pitch_in_elements(cr));
  };
  if (sampling == chroma_sampling::s420)
    launch(split_420_kernel);
  else
    launch(split_444_kernel);
  check(cudaGetLastError());
}

void join_colors(device_plane_span<const std::uint8_t> y, device_plane_span<const std::uint8_t> cb,
                 device_plane_span<const std::uint8_t> cr, chroma_sampling sampling,
                 device_plane_span<std::uint8_t> rgb) {
  require_sizes(rgb, y, cb, cr, sampling);
  join_kernel<<<element_grid(y.width(), y.height()), dim3(element_columns, element_rows)>>>(
      y.data(), pitch_in_elements(y), cb.data(), pitch_in_elements(cb), cr.data(), pitch_in_elements(cr),
      sampling == chroma_sampling::s420 ? 1 : 0, rgb.data(), pitch_in_elements(rgb), y.width(), y.height());
  check(cudaGetLastError());
}

}  // namespace tutorial

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// A thread makes 8 pixels of a row. What libjpeg calls fancy upsampling is a filter of four samples.
#include "08_dct8x8/kernels/element_launch.hpp"
#include "09_dct_compression/host/color_factors.hpp"
#include "09_dct_compression/kernels/block_memory.cuh"
#include "common/device/ceil_div.hpp"
#include "common/device/check.hpp"
#include "join_components.hpp"

namespace tutorial {
namespace {

using namespace detail;

constexpr int pixels_of_thread = 8;

// [upsample]
/// Pixels col .. col + 7 of a row, from samples of a component; col is a multiple of 8.
__device__ __forceinline__ void upsampled(const component_samples& of, int row, int col, int (&pixels)[8]) {
  const auto line = [&](int y) { return of.samples + std::int64_t(min(max(y, 0), of.last_row)) * of.pitch; };
  const int near_row = of.down <= 2 ? row >> (of.down - 1) : row / of.down;  // a division is slow
  const std::uint8_t* const near = line(near_row);
  const std::uint8_t* const far = line(row % 2 == 0 ? near_row - 1 : near_row + 1);
  if (of.across == 1) {
    const pixel_row nearer = *reinterpret_cast<const pixel_row*>(near + col);
#pragma unroll
    for (int i = 0; i < 8; ++i) pixels[i] = int(byte_of(nearer, i));
    if (!of.is_smooth_down) return;
    const pixel_row further = *reinterpret_cast<const pixel_row*>(far + col);
#pragma unroll
    for (int i = 0; i < 8; ++i) pixels[i] = (3 * pixels[i] + int(byte_of(further, i)) + 1 + row % 2) >> 2;
    return;
  }
  if (!of.is_smooth_across) {
#pragma unroll
    for (int i = 0; i < 8; ++i) pixels[i] = near[min((col + i) / of.across, of.last_col)];
    return;
  }
  // Six samples, the first one left of these pixels: 3 near + far, or near alone.
  int six[6];
  const int first = col / 2;
  const auto sum = [&](int nearer, int further) { return of.is_smooth_down ? 3 * nearer + further : nearer; };
  const auto sum_at = [&](int x) {
    const int inside = min(max(x, 0), of.last_col);
    return sum(near[inside], far[inside]);
  };
  six[0] = sum_at(first - 1);
  six[5] = sum_at(first + 4);
  if (first + 3 <= of.last_col) {
    const unsigned nearer = *reinterpret_cast<const unsigned*>(near + first),
                   further = *reinterpret_cast<const unsigned*>(far + first);
#pragma unroll
    for (int i = 0; i < 4; ++i) six[1 + i] = sum(nearer >> (8 * i) & 255, further >> (8 * i) & 255);
  } else {
#pragma unroll
    for (int i = 0; i < 4; ++i) six[1 + i] = sum_at(first + i);
  }
  const int left = of.is_smooth_down ? 8 : 1, right = of.is_smooth_down ? 7 : 2;
  const int shift = of.is_smooth_down ? 4 : 2;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    pixels[2 * i] = (3 * six[i + 1] + six[i] + left) >> shift;
    pixels[2 * i + 1] = (3 * six[i + 1] + six[i + 2] + right) >> shift;
  }
}
// [upsample]

/// Most pictures are of luminance and chrominance, without black: for these a kernel of its own is faster.
template <bool IsUsual>
__global__ void join_components_kernel(const __grid_constant__ picture_samples picture, std::uint8_t* rgb,
                                       std::int64_t pitch) {
  const int col = pixels_of_thread * (blockIdx.x * blockDim.x + threadIdx.x);
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (col >= picture.width || row >= picture.height) return;
  const bool is_ycc = IsUsual || picture.colors.is_ycc, is_printed = !IsUsual && picture.colors.is_printed;
  int one[8], two[8], three[8], black[8], parts[24];
  upsampled(picture.of[0], row, col, one);
  upsampled(picture.of[1], row, col, two);
  upsampled(picture.of[2], row, col, three);
  if (is_printed) upsampled(picture.of[3], row, col, black);
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    int* const pixel = parts + 3 * i;
    pixel[0] = one[i], pixel[1] = two[i], pixel[2] = three[i];
    if (is_ycc) {
      const int b = two[i] - 128, r = three[i] - 128;
      pixel[0] = one[i] + ((red_cr * r + half) >> places);
      pixel[1] = one[i] + ((half - green_cb * b - green_cr * r) >> places);
      pixel[2] = one[i] + ((blue_cb * b + half) >> places);
    }
#pragma unroll
    for (int k = 0; k < 3 && is_printed; ++k) {  // ink takes light away, and so does black
      const bool is_light = is_ycc != picture.colors.is_inverted;
      const int part = min(max(pixel[k], 0), 255), light = is_light ? part : 255 - part;
      const int of_black = picture.colors.is_inverted ? black[i] : 255 - black[i];
      pixel[k] = (light * of_black + 127) / 255;
    }
  }
  pixel_row* const to = reinterpret_cast<pixel_row*>(rgb + row * pitch + 3 * std::int64_t{col});
#pragma unroll
  for (int k = 0; k < 3; ++k) {
    const int* const eight = parts + 8 * k;
    to[k] = make_uint2(four_bytes(eight[0], eight[1], eight[2], eight[3]),
                       four_bytes(eight[4], eight[5], eight[6], eight[7]));
  }
}

}  // namespace

void join_components(const picture_samples& picture, std::uint8_t* rgb, std::int64_t pitch,
                     cudaStream_t stream) {
  const bool is_usual = picture.colors.is_ycc && !picture.colors.is_printed;
  const auto kernel = is_usual ? join_components_kernel<true> : join_components_kernel<false>;
  kernel<<<element_grid(ceil_div(picture.width, pixels_of_thread), picture.height),
           dim3(element_columns, element_rows), 0, stream>>>(picture, rgb, pitch);
  check(cudaGetLastError());
}

}  // namespace tutorial

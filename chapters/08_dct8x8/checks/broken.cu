// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "broken.hpp"

#include "08_dct8x8/checks/dct_checks.hpp"
#include "08_dct8x8/checks/dct_verification.hpp"
#include "08_dct8x8/host/dct_serial.hpp"
#include "08_dct8x8/kernels/dct8.cuh"
#include "common/device/check.hpp"

namespace tutorial::broken {
namespace {

__constant__ dct_table matrix = make_dct_table();

/// The kernel of dct8x8_per_coefficient.cu.
template <mistake Made>
__global__ void broken_per_coefficient_kernel(const float* pixels, std::int64_t pixels_pitch, int width,
                                              int height, float* coefficients,
                                              std::int64_t coefficients_pitch) {
  __shared__ float pixel[8][8], half[8][8];
  const int x = threadIdx.x, y = threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  const auto a = [](int u, int place) {
    const float value = Made == mistake::matrix_transposed ? matrix.a[place][u] : matrix.a[u][place];
    return Made == mistake::first_row_like_all && u == 0 ? 0.5f : value;
  };

  if (Made == mistake::zeros_outside && (row >= height || col >= width))
    pixel[y][x] = 0;
  else
    pixel[y][x] = pixels[min(row, height - 1) * (Made == mistake::width_for_pitch ? width : pixels_pitch) +
                         min(col, width - 1)];
  if (Made != mistake::no_barrier) __syncthreads();

  float sum = 0;
  for (int k = 0; k < 8; ++k) sum += a(y, k) * pixel[k][x];
  half[y][x] = sum;
  __syncthreads();
  sum = 0;
  for (int k = 0; k < 8; ++k) sum += half[y][k] * a(x, k);
  if (Made == mistake::transposed)
    coefficients[(row - y + x) * coefficients_pitch + (col - x + y)] = sum;
  else
    coefficients[row * coefficients_pitch + col] = sum;
}

/// Its inverse, that stores every pixel of a block.
__global__ void broken_not_cropped_kernel(const float* coefficients, std::int64_t coefficients_pitch,
                                          float* pixels, std::int64_t pixels_pitch) {
  __shared__ float half[8][8];
  const int x = threadIdx.x, y = threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < 8; ++k) sum += matrix.a[k][y] * coefficients[(row - y + k) * coefficients_pitch + col];
  half[y][x] = sum;
  __syncthreads();
  sum = 0;
  for (int k = 0; k < 8; ++k) sum += half[y][k] * matrix.a[k][x];
  pixels[row * pixels_pitch + col] = sum;
}

/// The kernel of dct8x8.cu, with blocks of 64 threads.
template <mistake Made>
__global__ void broken_columns_kernel(const float* pixels, std::int64_t pixels_pitch, int width, int height,
                                      float* coefficients, std::int64_t coefficients_pitch,
                                      int coefficients_width) {
  __shared__ float tile[8][64 + (Made == mistake::tile_not_padded ? 0 : 1)];
  const int t = threadIdx.x, i = t % 8, begin = t - i;
  const int col = blockIdx.x * blockDim.x + threadIdx.x, row = 8 * blockIdx.y;
  float values[8];
  for (int y = 0; y < 8; ++y)
    values[y] = pixels[min(row + y, height - 1) * pixels_pitch + min(col, width - 1)];
  dct8(values);
  for (int k = 0; k < 8; ++k) tile[k][t] = values[k];
  if (Made != mistake::no_warp_barrier) __syncwarp();
  for (int k = 0; k < 8; ++k) values[k] = tile[i][begin + k];
  dct8(values);
  for (int k = 0; k < 8; ++k) tile[i][begin + k] = values[k];
  __syncwarp();
  if (col >= coefficients_width) return;
  for (int v = 0; v < 8; ++v) coefficients[(row + v) * coefficients_pitch + col] = tile[v][t];
}

constexpr bool of_columns(mistake made) {
  return made == mistake::none_columns || made == mistake::no_warp_barrier ||
         made == mistake::tile_not_padded;
}

template <mistake Made>
void launch(device_plane_span<const float> from, device_plane_span<float> to) {
  const auto from_pitch = std::int64_t(from.pitch() / sizeof(float)),
             to_pitch = std::int64_t(to.pitch() / sizeof(float));
  if constexpr (Made == mistake::not_cropped) {
    const dim3 blocks(unsigned(from.width() / 8), unsigned(from.height() / 8));
    broken_not_cropped_kernel<<<blocks, dim3(8, 8)>>>(from.data(), from_pitch, to.data(), to_pitch);
  } else if constexpr (of_columns(Made)) {
    const dim3 blocks(unsigned((to.width() + 63) / 64), unsigned(to.height() / 8));
    broken_columns_kernel<Made><<<blocks, 64>>>(from.data(), from_pitch, from.width(), from.height(),
                                                to.data(), to_pitch, to.width());
  } else {
    constexpr bool whole = Made == mistake::grid_rounded_down;
    const dim3 blocks(unsigned(whole ? from.width() / 8 : to.width() / 8),
                      unsigned(whole ? from.height() / 8 : to.height() / 8));
    if (blocks.x == 0 || blocks.y == 0) return;  // an empty grid would be refused
    broken_per_coefficient_kernel<Made>
        <<<blocks, dim3(8, 8)>>>(from.data(), from_pitch, from.width(), from.height(), to.data(), to_pitch);
  }
  check(cudaGetLastError());
}

}  // namespace

void dct(mistake made, device_plane_span<const float> from, device_plane_span<float> to) {
  using enum mistake;
  with_mistakes<none, tile_not_padded>(made, [&](auto constant) { launch<constant.value>(from, to); });
}

std::vector<shown_mistake> shown_mistakes() {
  using enum mistake;
  return shown<mistake>(wrong_coefficients,
                        {{no_barrier, "broken: no barrier after staging the pixels", "race"},
                         {no_warp_barrier, "broken: no __syncwarp() between columns and rows", "race"}});
}

std::size_t wrong_coefficients(mistake made) {
  const plane<float> pixels = asymmetric_plane(130, 40);
  const auto transform = [made](auto from, auto to) { dct(made, from, to); };
  return verify_dct8x8(pixels, run_dct(transform, pixels, padded(130), 40)).mismatches;
}

}  // namespace tutorial::broken

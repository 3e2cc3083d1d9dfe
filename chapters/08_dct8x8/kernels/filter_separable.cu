// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The same convolution in two passes: every row, then every column of the result. Two kernels, and a picture
// between them.
#include "filter_separable.hpp"

#include "08_dct8x8/host/filter_serial.hpp"
#include "common/device/check.hpp"
#include "element_launch.hpp"

namespace tutorial {
namespace {

using namespace detail;

constexpr int r = filter_radius, taps = 2 * r + 1;
__constant__ float g[taps] = {filter_taps[0], filter_taps[1], filter_taps[2], filter_taps[3],
                              filter_taps[4], filter_taps[5], filter_taps[6]};

// [rows]
/// y[row][col] = sum over i of g[i] x[row][col + r - i]. Pitches are in floats.
__global__ void filter_rows_kernel(const float* x, std::int64_t x_pitch, float* y, std::int64_t y_pitch,
                                   int width, int height) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= height || col >= width) return;

  const float* const line = x + row * x_pitch;
  float sum = 0;
#pragma unroll
  for (int i = 0; i < taps; ++i) sum += g[i] * line[min(max(col + r - i, 0), width - 1)];
  y[row * y_pitch + col] = sum;
}
// [rows]

/// y[row][col] = sum over j of g[j] x[row + r - j][col].
__global__ void filter_columns_kernel(const float* x, std::int64_t x_pitch, float* y, std::int64_t y_pitch,
                                      int width, int height) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= height || col >= width) return;

  float sum = 0;
#pragma unroll
  for (int j = 0; j < taps; ++j) sum += g[j] * x[min(max(row + r - j, 0), height - 1) * x_pitch + col];
  y[row * y_pitch + col] = sum;
}

}  // namespace

void filter_separable(device_plane_span<const float> x, device_plane_span<float> between,
                      device_plane_span<float> y, cudaStream_t stream) {
  require_same_size(x, between, "filter_separable");
  require_same_size(x, y, "filter_separable");
  const dim3 blocks = element_grid(y.width(), y.height()), threads(element_columns, element_rows);
  filter_rows_kernel<<<blocks, threads, 0, stream>>>(x.data(), pitch_in_elements(x), between.data(),
                                                     pitch_in_elements(between), y.width(), y.height());
  check(cudaGetLastError());
  filter_columns_kernel<<<blocks, threads, 0, stream>>>(between.data(), pitch_in_elements(between), y.data(),
                                                        pitch_in_elements(y), y.width(), y.height());
  check(cudaGetLastError());
}

}  // namespace tutorial

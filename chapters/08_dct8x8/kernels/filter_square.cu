// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// A convolution in two dimensions by its definition: a thread for each output, which loads a square of
// pixels.
#include "filter_square.hpp"

#include "08_dct8x8/host/filter_serial.hpp"
#include "common/device/check.hpp"
#include "element_launch.hpp"

namespace tutorial {
namespace {

using namespace detail;

constexpr int r = filter_radius, taps = 2 * r + 1;
__constant__ float g[taps] = {filter_taps[0], filter_taps[1], filter_taps[2], filter_taps[3],
                              filter_taps[4], filter_taps[5], filter_taps[6]};

// [kernel]
/// y[row][col] = sum over j, i of g[j] g[i] x[row + r - j][col + r - i]. Pitches are in floats.
__global__ void filter_square_kernel(const float* x, std::int64_t x_pitch, float* y, std::int64_t y_pitch,
                                     int width, int height) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= height || col >= width) return;

  float sum = 0;
#pragma unroll
  for (int j = 0; j < taps; ++j) {
    // Outside of the picture the last row and column are repeated.
    const float* const line = x + min(max(row + r - j, 0), height - 1) * x_pitch;
#pragma unroll
    for (int i = 0; i < taps; ++i) sum += g[j] * g[i] * line[min(max(col + r - i, 0), width - 1)];
  }
  y[row * y_pitch + col] = sum;
}
// [kernel]

}  // namespace

void filter_square(device_plane_span<const float> x, device_plane_span<float> y, cudaStream_t stream) {
  require_same_size(x, y, "filter_square");
  filter_square_kernel<<<element_grid(y.width(), y.height()), dim3(element_columns, element_rows), 0,
                         stream>>>(x.data(), pitch_in_elements(x), y.data(), pitch_in_elements(y), y.width(),
                                   y.height());
  check(cudaGetLastError());
}

}  // namespace tutorial

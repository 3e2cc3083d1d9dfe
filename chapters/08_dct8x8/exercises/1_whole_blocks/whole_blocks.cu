// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Exercise 1: a picture of any size, filled up to whole 8x8 blocks: rows, a pitch, and a grid of two
// dimensions.
#include "whole_blocks.hpp"

#include <cstdint>

#include "common/device/check.hpp"

namespace tutorial {
namespace {

/// y(row, col) = x(min(row, height - 1), min(col, width - 1)), one thread per output. Pitches are in floats:
/// x(row, col) is x[row * x_pitch + col].
__global__ void fill_up_kernel(const float* x, int width, int height, std::int64_t x_pitch,  // the picture
                               float* y, int padded_width, int padded_height, std::int64_t y_pitch) {
  // TODO: this thread's output: does it exist, and where do its pixel and it lie? (about 5 lines)
  (void)x_pitch, (void)y_pitch;  // a row does not begin where the width of the one above ends
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= padded_width * padded_height || i >= width * height) return;
  y[i] = x[i];
}

}  // namespace

void fill_up_to_blocks(device_plane_span<const float> x, device_plane_span<float> y) {
  // TODO: blocks of two dimensions, and a grid of them that covers y (about 2 lines)
  const dim3 threads(256), blocks((y.width() * y.height() + 255) / 256);
  const auto x_pitch = std::int64_t(x.pitch() / sizeof(float)),
             y_pitch = std::int64_t(y.pitch() / sizeof(float));
  fill_up_kernel<<<blocks, threads>>>(x.data(), x.width(), x.height(), x_pitch, y.data(), y.width(),
                                      y.height(), y_pitch);
  check(cudaGetLastError());
}

}  // namespace tutorial

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// Exercise 1: a picture of any size, filled up to whole 8x8 blocks: rows, a pitch, and a grid of two
/// dimensions.
#include "whole_blocks.hpp"

#include "common/device/check.hpp"

namespace tutorial {
namespace {

/// y(row, col) = x(min(row, height - 1), min(col, width - 1)), one thread per output. Pitches are in bytes.
__global__ void fill_up_kernel(const float* x, int width, int height, std::size_t x_pitch,  // the picture
                               float* y, int padded_width, int padded_height, std::size_t y_pitch) {
  // SOLUTION: which output is this thread's, does it exist, and where do its pixel and it lie? (about 8 lines)
  // STARTER: (void)x_pitch;  // the rows of x and of y do not begin where a width ends
  // STARTER: const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // STARTER: if (i >= padded_width * padded_height || i >= width * height) return;
  // STARTER: y[i] = x[i];
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (col >= padded_width || row >= padded_height)
    return;  // the last blocks of a row, and of a column, stand over
  const char* const x_row = reinterpret_cast<const char*>(x) + min(row, height - 1) * x_pitch;
  char* const y_row = reinterpret_cast<char*>(y) + row * y_pitch;
  reinterpret_cast<float*>(y_row)[col] = reinterpret_cast<const float*>(x_row)[min(col, width - 1)];
  // END SOLUTION
}

}  // namespace

void fill_up_to_blocks(device_plane_span<const float> x, device_plane_span<float> y) {
  // SOLUTION: blocks of two dimensions, and a grid of them that covers y (about 2 lines)
  // STARTER: const dim3 threads(256), blocks((y.width() * y.height() + 255) / 256);
  const dim3 threads(32, 8);  // a warp is a stretch of 32 columns of one row
  const dim3 blocks((y.width() + 31) / 32, (y.height() + 7) / 8);
  // END SOLUTION
  fill_up_kernel<<<blocks, threads>>>(x.data(), x.width(), x.height(), x.pitch(), y.data(), y.width(),
                                      y.height(), y.pitch());
  check(cudaGetLastError());
}

}  // namespace tutorial

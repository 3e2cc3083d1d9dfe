// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The kernel of dct8x8_columns.cu on four 8x8 blocks side by side, by one warp. The picture is 30 pixels
// wide, so its last column is repeated. It becomes the lesson's page of steps
// (docs/book/pages_of_steps.txt).
#include "08_dct8x8/kernels/dct8x8_columns.cu"

#include <vector>

#include "common/device/device_memory.hpp"

int main() {
  using namespace tutorial;
  constexpr int width = 30, height = 8, whole_width = 32;
  std::vector<float> picture(width * height);
  for (int row = 0; row < height; ++row)
    for (int col = 0; col < width; ++col) picture[row * width + col] = float((7 * col + 3 * row * row) % 10);
  const device_buffer<float> pixels(picture);
  device_buffer<float> coefficients(whole_width * height);
  dct8x8_kernel<<<1, 32>>>(pixels.data(), width, width, height, coefficients.data(), whole_width,
                           whole_width);
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
}

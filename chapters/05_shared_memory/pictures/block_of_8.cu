// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The kernel of smooth_tile.cu as the lesson's first picture has it: 20 samples, 5 taps, 'same', in
// blocks of 8 threads. Run with a trace, it becomes the pictures of this folder (docs/write/redraw).
#include "../smooth_tile.cu"

#include <vector>

#include "common/device/device_memory.hpp"

int main() {
  using namespace tutorial;
  constexpr int samples = 20, in_a_block = 8, blocks = (samples + in_a_block - 1) / in_a_block;
  const device_buffer<float> x(std::vector<float>(samples, 1)), h(std::vector<float>(taps, 1));
  device_buffer<float> y(samples);
  smooth_tile_kernel<<<blocks, in_a_block>>>(x.data(), h.data(), y.data(), samples);
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
}

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The kernel of smooth_tile.cu with 100 samples, 5 taps, 'same', in blocks of 64 threads. Its second
// block has a halo on the left, ghosts on the right, and threads without an output. It becomes the lesson's
// page of steps (docs/book/pages_of_steps.txt).
#include "../smooth_tile.cu"

#include <vector>

#include "common/device/device_memory.hpp"

int main() {
  using namespace tutorial;
  constexpr int samples = 100, in_a_block = 64, blocks = (samples + in_a_block - 1) / in_a_block;
  std::vector<float> signal(samples);
  for (int n = 0; n < samples; ++n) signal[n] = float((7 * n + 3) % 10);
  const device_buffer<float> x(signal), h(std::vector<float>{1, 2, 3, 2, 1});
  device_buffer<float> y(samples);
  smooth_tile_kernel<<<blocks, in_a_block>>>(x.data(), h.data(), y.data(), samples);
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
}

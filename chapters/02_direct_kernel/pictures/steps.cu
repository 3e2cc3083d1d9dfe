// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The kernel of smooth.cu with 60 samples, 5 taps, 'same', in one block of 64 threads: four of them
// own no output. It becomes the lesson's page of steps (docs/book/pages_of_steps.txt).
#include "../smooth.cu"

#include <vector>

#include "common/device/device_memory.hpp"

int main() {
  using namespace tutorial;
  constexpr int samples = 60, in_the_block = 64;
  std::vector<float> signal(samples);
  for (int n = 0; n < samples; ++n) signal[n] = float((7 * n + 3) % 10);
  const device_buffer<float> x(signal), h(std::vector<float>{1, 2, 3, 2, 1});
  device_buffer<float> y(samples);
  smooth_kernel<<<1, in_the_block>>>(x.data(), h.data(), y.data(), samples);
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
}

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// The kernel of convolve_vectors.cu with 5 taps, by one warp: four outputs for each lane, and the last lane
/// has only two. It becomes the lesson's page of steps (docs/book/pages_of_steps.txt).
#include "../convolve_vectors.cu"

#include <vector>

#include "common/device/device_memory.hpp"

int main() {
  using namespace tutorial;
  constexpr int taps = 5, reach = taps - 1, outputs = 126, samples = 140, first = reach, head = 0;
  std::vector<float> signal(samples);
  for (int n = 0; n < samples; ++n) signal[n] = float((7 * n + 3) % 10);
  const device_buffer<float> x(signal), h(std::vector<float>{1, 2, 3, 2, 1});
  device_buffer<float> y(outputs);
  convolve_vectors_kernel<float, reach>
      <<<1, 32>>>(x.data(), samples, h.data(), taps, y.data(), outputs, first, head);
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
}

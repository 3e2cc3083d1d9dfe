// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// The kernel of convolve_shared.cu with 100 samples, 5 taps, 'same', in blocks of 64 threads. Its second
/// block has a halo on the left, ghosts on the right, and threads without an output. It becomes the lesson's
/// page of steps (docs/book/pages_of_steps.txt).
#include "../convolve_shared.cu"

#include <vector>

#include "common/device/device_memory.hpp"

int main() {
  using namespace tutorial;
  constexpr int samples = 100, taps = 5, threads = 64, blocks = (samples + threads - 1) / threads, first = 2;
  std::vector<float> signal(samples);
  for (int n = 0; n < samples; ++n) signal[n] = float((7 * n + 3) % 10);
  const device_buffer<float> x(signal), h(std::vector<float>{1, 2, 3, 2, 1});
  device_buffer<float> y(samples);
  copy_to_constant_memory(h.span());
  convolve_shared_kernel<<<blocks, threads, (threads + taps - 1) * sizeof(float)>>>(
      x.data(), samples, taps, y.data(), samples, first, false);
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
}

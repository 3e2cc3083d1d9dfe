// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// The kernel of convolve_shared.cu as the lesson's first picture has it: 20 samples, 5 taps, 'same', in
/// blocks of 8 threads. Run with a trace, it becomes the pictures of this folder (docs/write/redraw).
#include "../convolve_shared.cu"

#include <vector>

#include "common/device/device_memory.hpp"

int main() {
  using namespace tutorial;
  constexpr int samples = 20, taps = 5, threads = 8, blocks = (samples + threads - 1) / threads, first = 2;
  const device_buffer<float> x(std::vector<float>(samples, 1)), h(std::vector<float>(taps, 1));
  device_buffer<float> y(samples);
  copy_to_constant_memory(h.span());
  convolve_shared_kernel<<<blocks, threads, (threads + taps - 1) * sizeof(float)>>>(
      x.data(), samples, taps, y.data(), samples, first, false);
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
}

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The kernel of convolve_warp_per_output.cu with two outputs of a filter of 70 taps: a warp for each. It
// becomes the lesson's page of steps (docs/book/pages_of_steps.txt).
#include "../convolve_warp_per_output.cu"

#include <vector>

#include "common/device/device_memory.hpp"

int main() {
  using namespace tutorial;
  constexpr int samples = 100, taps = 70, outputs = 2, first = 48;
  std::vector<float> signal(samples), filter(taps);
  for (int n = 0; n < samples; ++n) signal[n] = float((7 * n + 3) % 10);
  for (int k = 0; k < taps; ++k) filter[k] = float(1 + k % 3);
  const device_buffer<float> x(signal), h(filter);
  device_buffer<float> y(outputs);
  convolve_warp_per_output_kernel<<<1, 32 * outputs>>>(x.data(), samples, h.data(), taps, y.data(), outputs,
                                                       first);
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
}

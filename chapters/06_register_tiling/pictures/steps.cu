// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The simplest kernel of the chapter: float, 5 taps, 'valid', four neighboring outputs per thread. It is the
// lesson's first kernel and its page of steps (docs/book/pages_of_steps.txt).
#include <vector>

#include "../vectors.cuh"
#include "common/device/check.hpp"
#include "common/device/device_memory.hpp"

namespace {

using namespace tutorial;

// [kernel]
/// y[n] = sum over k of h[k] x[n + 4 - k], 5 taps, four neighboring outputs per thread.
__global__ void four_outputs_kernel(const float* x, const float* h, float* y, int outputs) {
  const int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= outputs) return;

  float window[8];  // window[j] == x[i + j]
  load_vector(window, x + i);
  load_vector(window + 4, x + i + 4);
  float sum[4] = {};  // of y[i] to y[i + 3]
#pragma unroll
  for (int k = 0; k < 5; ++k) {
    const float tap = h[k];
#pragma unroll
    for (int r = 0; r < 4; ++r) sum[r] += tap * window[r + 4 - k];
  }
  store_vector(y + i, sum);
}
// [kernel]

}  // namespace

int main() {
  constexpr int outputs = 120, samples = outputs + 4;
  std::vector<float> signal(samples);
  for (int n = 0; n < samples; ++n) signal[n] = float((7 * n + 3) % 10);
  const std::vector<float> filter = {1, 2, 3, 5, 7};
  const device_buffer<float> x(signal), h(filter);
  device_buffer<float> y(outputs);
  four_outputs_kernel<<<1, 32>>>(x.data(), h.data(), y.data(), outputs);
  check(cudaGetLastError());
  const std::vector<float> result = y.to_host();
  for (int n = 0; n < outputs; ++n) {
    float expected = 0;
    for (int k = 0; k < 5; ++k) expected += filter[k] * signal[n + 4 - k];
    if (result[n] != expected) return 1;
  }
}

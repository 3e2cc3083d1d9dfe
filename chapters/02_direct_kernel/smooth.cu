// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The simplest convolution on the device: float, 5 taps, 'same'.
#include "smooth.hpp"

#include <stdexcept>

#include "common/device/ceil_div.hpp"
#include "common/device/check.hpp"

namespace tutorial {
namespace {

constexpr int threads = 256;  // per block

// [kernel]
constexpr int taps = 5;

/// y[i] = sum over k of h[k] x[i + 2 - k], one thread per output.
__global__ void smooth_kernel(const float* x, const float* h, float* y, int length) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  float sum = 0.0f;
  for (int k = 0; k < taps; ++k) {
    const int m = i + 2 - k;
    if (0 <= m && m < length) sum += h[k] * x[m];  // a ghost sample is zero: leave it out
  }
  y[i] = sum;
}
// [kernel]

}  // namespace

void smooth(device_span<const float> x, device_span<const float> h, device_span<float> y,
            convolution_mode mode, cudaStream_t stream) {
  if (mode != convolution_mode::same || h.size() != taps)
    throw std::invalid_argument("smooth has 5 taps, and computes 'same'");
  const int length = checked_int_sizes(x.size(), h.size(), y.size(), mode, threads).outputs;
  smooth_kernel<<<ceil_div(length, threads), threads, 0, stream>>>(x.data(), h.data(), y.data(), length);
  check(cudaGetLastError());
}

}  // namespace tutorial

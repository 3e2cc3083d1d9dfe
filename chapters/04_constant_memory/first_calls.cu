// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// A 5-tap filter from global and from constant memory, in one file: whichever is called first also pays for
// loading.
#include <stdexcept>

#include "common/device/ceil_div.hpp"
#include "common/device/check.hpp"
#include "first_calls.hpp"

namespace tutorial {
namespace {

constexpr int threads_per_block = 512;
constexpr int taps = 5, radius = 2;

static __constant__ double smoothing_taps[taps];

/// y[i] = sum over k of h[k] x[i + 2 - k], 'same' with 5 taps: all of it from global memory.
__global__ void smooth_plain_kernel(const double* x, const double* h, double* y, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size) return;
  double sum = 0;
  for (int k = 0; k < taps; ++k) {
    const int m = i + radius - k;
    if (0 <= m && m < size) sum += h[k] * x[m];
  }
  y[i] = sum;
}

/// The same with the taps in constant memory.
__global__ void smooth_constant_kernel(const double* x, double* y, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size) return;
  double sum = 0;
  for (int k = 0; k < taps; ++k) {
    const int m = i + radius - k;
    if (0 <= m && m < size) sum += smoothing_taps[k] * x[m];
  }
  y[i] = sum;
}

int blocks_for(std::size_t samples, std::size_t outputs) {
  if (samples != outputs || samples == 0 || samples > (1u << 30))
    throw std::invalid_argument("smooth: 1 to 2^30 samples, and as many outputs");
  return static_cast<int>(ceil_div(samples, threads_per_block));
}

}  // namespace

void smooth_plain(device_span<const double> x, device_span<const double> h, device_span<double> y) {
  if (h.size() != taps) throw std::invalid_argument("smooth: 5 taps");
  const int blocks = blocks_for(x.size(), y.size());
  smooth_plain_kernel<<<blocks, threads_per_block>>>(x.data(), h.data(), y.data(),
                                                     static_cast<int>(x.size()));
  check(cudaGetLastError());
}

void load_smoothing_taps(const double (&h)[taps]) { check(cudaMemcpyToSymbol(smoothing_taps, h, sizeof h)); }

void smooth_constant(device_span<const double> x, device_span<double> y) {
  const int blocks = blocks_for(x.size(), y.size());
  smooth_constant_kernel<<<blocks, threads_per_block>>>(x.data(), y.data(), static_cast<int>(x.size()));
  check(cudaGetLastError());
}

}  // namespace tutorial

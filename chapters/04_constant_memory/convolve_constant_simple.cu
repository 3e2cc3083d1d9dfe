// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The simplest form of a filter in constant memory: one type, a fixed place, a copy from the host.
#include "common/device/ceil_div.hpp"
#include "common/device/check.hpp"
#include "convolve_constant.hpp"

namespace tutorial {
namespace {

constexpr int threads_per_block = 256;

// clang-format off
// [simple]
static __constant__ float constant_h[most_simple_taps];  // 64

/// y[n] = sum over k of h[k] x[n - k], one thread per output.
__global__ void convolve_constant_simple_kernel(
    const float* x, int samples,  // x[0, samples)
    int taps,                     // h[0, taps) is in constant_h
    float* y, int outputs,        // y[0, outputs)
    int first) {                  // y[0] is output `first` of full
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= outputs) return;

  const int n = first + i;
  float sum = 0;
  for (int k = 0; k < taps; ++k) {
    const int m = n - k;
    if (0 <= m && m < samples) sum += constant_h[k] * x[m];  // the kernel names the variable
  }
  y[i] = sum;
}
// [simple]
// clang-format on

}  // namespace

// [simple_wrapper]
void convolve_constant_simple(device_span<const float> x, std::span<const float> h, device_span<float> y,
                              convolution_mode mode) {
  const auto [samples, taps, outputs, first] =
      checked_int_sizes(x.size(), h.size(), y.size(), mode, threads_per_block);
  if (taps > most_simple_taps) throw std::invalid_argument("this version has room for 64 taps");
  check(cudaMemcpyToSymbol(constant_h, h.data(), h.size_bytes()));  // the variable by its name; bytes
  const int blocks = ceil_div(outputs, threads_per_block);
  convolve_constant_simple_kernel<<<blocks, threads_per_block>>>(x.data(), samples, taps, y.data(), outputs,
                                                                 first);
  check(cudaGetLastError());
}
// [simple_wrapper]

}  // namespace tutorial

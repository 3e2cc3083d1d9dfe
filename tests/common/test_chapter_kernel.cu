// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "test_chapter_kernel.hpp"

#include <cstdint>

namespace tutorial {
namespace {

template <class T>
__global__ void convolve_kernel(const T* x, long samples, const T* h, long taps, T* y, long outputs,
                                long first) {
  const long n = long(blockIdx.x) * blockDim.x + threadIdx.x;
  if (n >= outputs) return;
  T sum = 0;
  for (long k = 0; k < taps; ++k) {
    const long i = first + n - k;
    if (i >= 0 && i < samples) sum += h[k] * x[i];
  }
  y[n] = sum;
}

}  // namespace

template <class T>
void convolve_on_device(device_span<const T> x, device_span<const T> h, device_span<T> y,
                        convolution_mode mode, int shift) {
  require_output_length(x.size(), h.size(), y.size(), mode);
  const long first = long(first_output(x.size(), h.size(), mode)) + shift;
  convolve_kernel<<<unsigned((y.size() + 127) / 128), 128>>>(x.data(), long(x.size()), h.data(),
                                                             long(h.size()), y.data(), long(y.size()), first);
  check(cudaGetLastError());
}

template void convolve_on_device(device_span<const std::int32_t>, device_span<const std::int32_t>,
                                 device_span<std::int32_t>, convolution_mode, int);
template void convolve_on_device(device_span<const float>, device_span<const float>, device_span<float>,
                                 convolution_mode, int);
template void convolve_on_device(device_span<const double>, device_span<const double>, device_span<double>,
                                 convolution_mode, int);

}  // namespace tutorial

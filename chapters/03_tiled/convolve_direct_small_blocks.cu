// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Chapter 02's kernel in blocks of 32 threads: few outputs are spread over many multiprocessors.
// A control: what of this chapter's gain is due to more multiprocessors alone?
#include "common/device/ceil_div.hpp"
#include "common/device/check.hpp"
#include "convolve_tiled.hpp"

namespace tutorial {
namespace {

constexpr int threads_per_block = 32;

/// y[n] = sum over k of h[k] x[n - k], one thread per output.
template <class T>
__global__ void convolve_direct_small_blocks_kernel(const T* __restrict__ x, int samples,  // x[0, samples)
                                                    const T* __restrict__ h, int taps,     // h[0, taps)
                                                    T* __restrict__ y, int outputs,        // y[0, outputs)
                                                    int first) {  // y[0] is output `first` of full
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= outputs) return;

  const int n = first + i;  // index within full
  T sum{};
  for (int k = 0; k < taps; ++k) {
    const int m = n - k;
    if (0 <= m && m < samples) sum += h[k] * x[m];
  }
  y[i] = sum;
}

}  // namespace

template <class T>
void convolve_direct_small_blocks(device_span<const T> x, device_span<const T> h, device_span<T> y,
                                  convolution_mode mode, cudaStream_t stream) {
  const auto [samples, taps, outputs, first] =
      checked_int_sizes(x.size(), h.size(), y.size(), mode, threads_per_block);
  const int blocks = ceil_div(outputs, threads_per_block);
  convolve_direct_small_blocks_kernel<<<blocks, threads_per_block, 0, stream>>>(
      wrapping_data(x), samples, wrapping_data(h), taps, wrapping_data(y), outputs, first);
  check(cudaGetLastError());
}

TUTORIAL_INSTANTIATE_CONVOLUTION(convolve_direct_small_blocks, cudaStream_t);

}  // namespace tutorial

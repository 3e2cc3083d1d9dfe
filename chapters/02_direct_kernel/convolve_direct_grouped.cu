// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Eight consecutive outputs per thread: the same loads in a worse order. Neighboring threads are now eight
// samples apart, and the samples of a warp's load are spread over eight times as much memory.
#include "common/device/ceil_div.hpp"
#include "common/device/check.hpp"
#include "convolve_direct.hpp"

namespace tutorial {
namespace {

constexpr int threads_per_block = 256;
constexpr int outputs_per_thread = 8;

// clang-format off
// [kernel]
/// y[n] = sum over k of h[k] x[n - k], outputs_per_thread neighboring outputs per thread.
template <class T>
__global__ void convolve_direct_grouped_kernel(
    const T* __restrict__ x, int samples,  // x[0, samples)
    const T* __restrict__ h, int taps,     // h[0, taps)
    T* __restrict__ y, int outputs,        // y[0, outputs)
    int first) {                           // y[0] is output `first` of full
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  for (int j = 0; j < outputs_per_thread; ++j) {
    const int i = thread * outputs_per_thread + j;  // lane l of a warp is at 8 l + j: stride 8
    if (i >= outputs) return;

    const int n = first + i;  // index within full
    T sum{};
    for (int k = 0; k < taps; ++k) {
      const int m = n - k;
      if (0 <= m && m < samples) sum += h[k] * x[m];  // a ghost sample is zero: leave it out
    }
    y[i] = sum;
  }
}
// [kernel]
// clang-format on

}  // namespace

template <class T>
void convolve_direct_grouped(device_span<const T> x, device_span<const T> h, device_span<T> y,
                             convolution_mode mode, cudaStream_t stream) {
  constexpr int outputs_per_block = threads_per_block * outputs_per_thread;
  const auto [samples, taps, outputs, first] =
      checked_int_sizes(x.size(), h.size(), y.size(), mode, outputs_per_block);
  const int blocks = ceil_div(outputs, outputs_per_block);
  convolve_direct_grouped_kernel<<<blocks, threads_per_block, 0, stream>>>(
      wrapping_data(x), samples, wrapping_data(h), taps, wrapping_data(y), outputs, first);
  check(cudaGetLastError());
}

TUTORIAL_INSTANTIATE_CONVOLUTION(convolve_direct_grouped, cudaStream_t);

}  // namespace tutorial

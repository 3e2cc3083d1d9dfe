// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// One thread per output: each thread adds up the K products of its own output, in global memory only.
/// Neighboring threads read neighboring samples, so that a warp's 32 loads become few transfers.
#include "common/check.hpp"
#include "common/wrapping.hpp"
#include "convolve_direct.hpp"

namespace tutorial {
namespace {

constexpr int threads_per_block = 256;

// [kernel]
/// y[n] = sum over k of h[k] x[n - k], one thread per output.
template <class T>
__global__ void convolve_direct_kernel(const T* __restrict__ x, int samples,  // x[0, samples)
                                       const T* __restrict__ h, int taps,     // h[0, taps)
                                       T* __restrict__ y, int outputs,        // y[0, outputs)
                                       int first) {                           // y[0] is output `first` of full
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= outputs) return;  // the last block is rarely full: its spare threads own no output

  const int n = first + i;                      // index within full
  const int k_begin = max(0, n - samples + 1);  // the taps that meet a sample: 0 <= n - k < samples;
  const int k_end = min(taps, n + 1);           // ghost samples are zero and left out
  T sum{};
  for (int k = k_begin; k < k_end; ++k) sum += h[k] * x[n - k];
  y[i] = sum;
}
// [kernel]

}  // namespace

// [wrapper]
template <class T>
void convolve_direct(device_span<const T> x, device_span<const T> h, device_span<T> y, convolution_mode mode) {
  require_output_length(x.size(), h.size(), y.size(), mode);
  require_int_indices(x.size(), h.size(), threads_per_block);
  using W = wrapping<T>;  // int32 is summed as uint32, which wraps
  const int outputs = static_cast<int>(y.size());
  const int blocks = (outputs + threads_per_block - 1) / threads_per_block;
  convolve_direct_kernel<<<blocks, threads_per_block>>>(
      reinterpret_cast<const W*>(x.data()), static_cast<int>(x.size()),
      reinterpret_cast<const W*>(h.data()), static_cast<int>(h.size()),
      reinterpret_cast<W*>(y.data()), outputs,
      static_cast<int>(first_output(x.size(), h.size(), mode)));
  check(cudaGetLastError());
}
// [wrapper]

template void convolve_direct<std::int32_t>(device_span<const std::int32_t>, device_span<const std::int32_t>,
                                            device_span<std::int32_t>, convolution_mode);
template void convolve_direct<float>(device_span<const float>, device_span<const float>, device_span<float>,
                                     convolution_mode);
template void convolve_direct<double>(device_span<const double>, device_span<const double>, device_span<double>,
                                      convolution_mode);

}  // namespace tutorial

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// One warp per output: its 32 lanes share the taps, and add up what they have in five steps.
// 32 times as many threads as outputs, and nothing in between goes to memory.
#include "common/device/ceil_div.hpp"
#include "common/device/check.hpp"
#include "convolve_tiled.hpp"

namespace tutorial {
namespace {

constexpr int threads_per_block = 256;
constexpr int outputs_per_block = threads_per_block / 32;
constexpr unsigned all_lanes = 0xffffffff;

// clang-format off
// [warp_sum]
/// In lane 0 the sum over all 32 lanes; what the other lanes get is of no use.
template <class T>
__device__ T warp_sum(T value) {
  for (int distance = 16; distance > 0; distance /= 2)
    value += __shfl_down_sync(all_lanes, value, distance);  // what lane + distance has
  return value;
}
// [warp_sum]

// [kernel]
/// y[n] = sum over k of h[k] x[n - k], one warp per output.
template <class T>
__global__ void convolve_warp_per_output_kernel(
    const T* __restrict__ x, int samples,  // x[0, samples)
    const T* __restrict__ h, int taps,     // h[0, taps)
    T* __restrict__ y, int outputs,        // y[0, outputs)
    int first) {                           // y[0] is output `first` of full
  const int lane = threadIdx.x % 32;
  const int i = blockIdx.x * outputs_per_block + threadIdx.x / 32;
  if (i >= outputs) return;  // whole warps return: a warp that shuffles is complete

  const int n = first + i;  // index within full
  T sum{};
  for (int k = lane; k < taps; k += 32) {
    const int m = n - k;
    if (0 <= m && m < samples) sum += h[k] * x[m];  // a ghost sample is zero: leave it out
  }
  sum = warp_sum(sum);
  if (lane == 0) y[i] = sum;
}
// [kernel]
// clang-format on

}  // namespace

template <class T>
void convolve_warp_per_output(device_span<const T> x, device_span<const T> h, device_span<T> y,
                              convolution_mode mode, cudaStream_t stream) {
  const auto [samples, taps, outputs, first] =
      checked_int_sizes(x.size(), h.size(), y.size(), mode, threads_per_block);
  const int blocks = ceil_div(outputs, outputs_per_block);
  convolve_warp_per_output_kernel<<<blocks, threads_per_block, 0, stream>>>(
      wrapping_data(x), samples, wrapping_data(h), taps, wrapping_data(y), outputs, first);
  check(cudaGetLastError());
}

TUTORIAL_INSTANTIATE_CONVOLUTION(convolve_warp_per_output, cudaStream_t);

}  // namespace tutorial

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What one loop that is not unrolled does to an array in registers: no register has a number that is
// computed, so the array goes to memory.
#include "window_place.hpp"

#include "common/device/ceil_div.hpp"
#include "common/device/check.hpp"

namespace tutorial {
namespace {

constexpr int threads_per_block = 128;
constexpr int outputs_per_thread = 8;
constexpr int outputs_per_block = threads_per_block * outputs_per_thread;

// [kernel]
/// y[n] = sum over k of h[k] x[n - k], eight neighboring outputs per thread.
template <window_place Place>
__global__ void __launch_bounds__(threads_per_block)
    convolve_window_kernel(const float* __restrict__ x, int samples,  // x[0, samples)
                           const float* __restrict__ h, int taps,     // h[0, taps)
                           float* __restrict__ y, int outputs) {      // y[0, outputs)
  constexpr int size = outputs_per_thread;
  [[maybe_unused]] constexpr int unrolled = Place == window_place::registers ? size : 1;  // for nvcc
  const int n = (blockIdx.x * blockDim.x + threadIdx.x) * size;                           // my first output
  if (n >= outputs) return;
  const auto sample = [&](int m) { return 0 <= m && m < samples ? x[m] : 0.0f; };

  // [loop]
  float sum[size] = {}, window[size];  // x[n + r - k] is in window[(r - k) mod 8]
#pragma unroll
  for (int r = 0; r < size; ++r) window[r] = sample(n + r);
  for (int k = 0; k < taps; k += size) {
#pragma unroll unrolled
    for (int j = 0; j < size; ++j) {  // the tap k + j
      if (k + j >= taps) break;
      const float tap = h[k + j];
#pragma unroll
      for (int r = 0; r < size; ++r) sum[r] += tap * window[(r - j + size) % size];
      window[size - 1 - j] = sample(n - (k + j) - 1);  // replaces the sample that no output needs anymore
    }
  }
  // [loop]
#pragma unroll
  for (int r = 0; r < size; ++r)
    if (n + r < outputs) y[n + r] = sum[r];
}
// [kernel]

template <class Function>
auto with_kernel(window_place place, const Function& function) {
  return place == window_place::registers ? function(convolve_window_kernel<window_place::registers>)
                                          : function(convolve_window_kernel<window_place::local_memory>);
}

}  // namespace

void convolve_with_window_in(window_place place, device_span<const float> x, device_span<const float> h,
                             device_span<float> y) {
  const int_sizes sizes =
      checked_int_sizes(x.size(), h.size(), y.size(), convolution_mode::full, outputs_per_block);
  const int blocks = ceil_div(sizes.outputs, outputs_per_block);
  with_kernel(place, [&](auto kernel) {
    kernel<<<blocks, threads_per_block>>>(x.data(), sizes.samples, h.data(), sizes.taps, y.data(),
                                          sizes.outputs);
  });
  check(cudaGetLastError());
}

kernel_facts window_facts(window_place place) {
  return with_kernel(place, [&](auto kernel) {
    return facts_of(kernel, threads_per_block, 0,
                    place == window_place::registers ? "in registers" : "in local memory");
  });
}

}  // namespace tutorial

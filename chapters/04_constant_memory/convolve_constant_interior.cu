// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The filter in constant memory, and blocks whose outputs meet no ghost leave the test for ghosts out of the
// loop. A control: what does that test cost?
#include "common/device/ceil_div.hpp"
#include "tap_storage.cuh"

namespace tutorial {
namespace {

constexpr int threads_per_block = 256;

// clang-format off
// [kernel]
/// y[n] = sum over k of h[k] x[n - k], one thread per output.
template <class T>
__global__ void convolve_constant_interior_kernel(
    const T* __restrict__ x, int samples,  // x[0, samples)
    int taps,                              // h[0, taps) is in constant memory
    T* __restrict__ y, int outputs,        // y[0, outputs)
    int first) {                           // y[0] is output `first` of full
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= outputs) return;  // the last block is rarely full: its spare threads own no output

  const T* const h = constant_taps<T>();
  const int n = first + i;  // index within full
  // The block's threads need x[block_n - (taps - 1), block_n + blockDim.x): are all of these samples?
  const int block_n = first + blockIdx.x * blockDim.x;  // n of the block's first thread
  const bool interior = taps - 1 <= block_n && block_n + static_cast<int>(blockDim.x) <= samples;
  T sum{};
  if (interior) {  // the same answer in the whole block: its warps stay together
    for (int k = 0; k < taps; ++k) sum += h[k] * x[n - k];
  } else {
    for (int k = 0; k < taps; ++k) {
      const int m = n - k;
      if (0 <= m && m < samples) sum += h[k] * x[m];
    }
  }
  y[i] = sum;
}
// [kernel]
// clang-format on

}  // namespace

template <class T>
void load_interior_taps(device_span<const T> h, cudaStream_t stream) {
  require_fit_for_constant_memory(h.size(), element_type_of<T>());
  copy_to_constant_memory(h, stream);
}

template <class T>
void convolve_constant_interior(device_span<const T> x, std::size_t taps, device_span<T> y,
                                convolution_mode mode, cudaStream_t stream) {
  const int_sizes sizes = checked_int_sizes(x.size(), taps, y.size(), mode, threads_per_block);
  const int blocks = ceil_div(sizes.outputs, threads_per_block);
  convolve_constant_interior_kernel<<<blocks, threads_per_block, 0, stream>>>(
      wrapping_data(x), sizes.samples, sizes.taps, wrapping_data(y), sizes.outputs, sizes.first);
  check(cudaGetLastError());
}

#define INSTANTIATE(T)                                                                           \
  template void load_interior_taps<T>(device_span<const T>, cudaStream_t);                       \
  template void convolve_constant_interior<T>(device_span<const T>, std::size_t, device_span<T>, \
                                              convolution_mode, cudaStream_t)
INSTANTIATE(std::int32_t);
INSTANTIATE(float);
INSTANTIATE(double);
#undef INSTANTIATE

}  // namespace tutorial

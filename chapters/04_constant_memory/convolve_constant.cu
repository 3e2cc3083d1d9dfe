// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The direct kernel with the filter in constant memory: each tap is asked for once per warp, not once per
// thread, because the 32 lanes want the same one.
#include <string>

#include "common/device/ceil_div.hpp"
#include "common/files/element_type.hpp"
#include "tap_storage.cuh"

namespace tutorial {
namespace {

constexpr int threads_per_block = 256;

// clang-format off
// [kernel]
/// y[n] = sum over k of h[k] x[n - k], one thread per output.
template <class T>
__global__ void convolve_constant_kernel(
    const T* __restrict__ x, int samples,  // x[0, samples)
    int taps,                              // h[0, taps) is in constant memory
    T* __restrict__ y, int outputs,        // y[0, outputs)
    int first) {                           // y[0] is output `first` of full
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= outputs) return;  // the last block is rarely full: its spare threads own no output

  const T* const h = constant_taps<T>();
  const int n = first + i;  // index within full
  T sum{};
  for (int k = 0; k < taps; ++k) {
    const int m = n - k;
    if (0 <= m && m < samples) sum += h[k] * x[m];  // k is the same in all lanes: one address for the warp
  }
  y[i] = sum;
}
// [kernel]
// clang-format on

/// What lies in constant memory, as far as the host knows: copies into it are made here only.
loaded_filter loaded;

}  // namespace

void require_fit_for_constant_memory(std::size_t taps, element_type type) {
  if (taps == 0) throw std::invalid_argument("a convolution needs at least one sample and one tap");
  if (taps > constant_bytes / size_of(type))
    throw std::invalid_argument(std::to_string(taps) + " taps of " + std::string(name(type)) +
                                " do not fit into constant memory: its " + std::to_string(constant_bytes) +
                                " bytes hold " + std::to_string(constant_bytes / size_of(type)));
}

// [load]
template <class T>
void load_constant_taps(device_span<const T> h, cudaStream_t stream) {
  require_fit_for_constant_memory(h.size(), element_type_of<T>());
  copy_to_constant_memory(h, stream);
  loaded = loaded_filter::here(element_type_of<T>(), h.size());
}
// [load]

template <class T>
void convolve_with_constant_taps(device_span<const T> x, std::size_t taps, device_span<T> y,
                                 convolution_mode mode, cudaStream_t stream) {
  const int_sizes sizes = checked_int_sizes(x.size(), taps, y.size(), mode, threads_per_block);
  if (loaded != loaded_filter::here(element_type_of<T>(), taps))
    throw std::invalid_argument("constant memory holds another filter: " + std::to_string(loaded.taps) +
                                " taps of " + std::string(name(loaded.type)) + ", on device " +
                                std::to_string(loaded.device));
  const int blocks = ceil_div(sizes.outputs, threads_per_block);
  convolve_constant_kernel<<<blocks, threads_per_block, 0, stream>>>(
      wrapping_data(x), sizes.samples, sizes.taps, wrapping_data(y), sizes.outputs, sizes.first);
  check(cudaGetLastError());
}

// [wrapper]
template <class T>
void convolve_constant(device_span<const T> x, device_span<const T> h, device_span<T> y,
                       convolution_mode mode, cudaStream_t stream) {
  require_output_length(x.size(), h.size(), y.size(), mode);
  load_constant_taps(h, stream);
  convolve_with_constant_taps(x, h.size(), y, mode, stream);
}
// [wrapper]

TUTORIAL_INSTANTIATE_CONVOLUTION(convolve_constant, cudaStream_t);

template void load_constant_taps<std::int32_t>(device_span<const std::int32_t>, cudaStream_t);
template void load_constant_taps<float>(device_span<const float>, cudaStream_t);
template void load_constant_taps<double>(device_span<const double>, cudaStream_t);
template void convolve_with_constant_taps<std::int32_t>(device_span<const std::int32_t>, std::size_t,
                                                        device_span<std::int32_t>, convolution_mode,
                                                        cudaStream_t);
template void convolve_with_constant_taps<float>(device_span<const float>, std::size_t, device_span<float>,
                                                 convolution_mode, cudaStream_t);
template void convolve_with_constant_taps<double>(device_span<const double>, std::size_t, device_span<double>,
                                                  convolution_mode, cudaStream_t);

}  // namespace tutorial

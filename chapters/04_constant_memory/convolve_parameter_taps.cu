// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The filter as an argument of the kernel. A GPU keeps the arguments of a launch in constant memory too, and
// each launch has its own: no variable that a second filter could overwrite, and no copy before the launch.
#include <algorithm>
#include <string>

#include "common/device/ceil_div.hpp"
#include "common/device/check.hpp"
#include "common/files/element_type.hpp"
#include "convolve_constant.hpp"

namespace tutorial {
namespace {

constexpr int threads_per_block = 256;

// clang-format off
// [kernel]
/// h[0, taps), and room for more: how large a parameter is must be known when the kernel is compiled.
template <class T, std::size_t bytes>
struct tap_parameter {
  T h[bytes / sizeof(T)];
};

/// y[n] = sum over k of h[k] x[n - k], one thread per output.
template <class T, std::size_t bytes>
__global__ void convolve_parameter_taps_kernel(
    const T* __restrict__ x, int samples,                                 // x[0, samples)
    int taps, const __grid_constant__ tap_parameter<T, bytes> parameter,  // h[0, taps), by value
    T* __restrict__ y, int outputs,                                       // y[0, outputs)
    int first) {                                                          // y[0] is output `first` of full
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= outputs) return;

  const int n = first + i;
  T sum{};
  for (int k = 0; k < taps; ++k) {
    const int m = n - k;
    if (0 <= m && m < samples) sum += parameter.h[k] * x[m];
  }
  y[i] = sum;
}
// [kernel]
// clang-format on

// [launch]
/// Launches the kernel with room for that many bytes of taps.
template <std::size_t bytes, class T>
void launch(device_span<const T> x, std::span<const T> h, device_span<T> y, const int_sizes& sizes,
            cudaStream_t stream) {
  tap_parameter<wrapping<T>, bytes> parameter{};
  static_assert(sizeof parameter + 2 * sizeof(void*) + 4 * sizeof(int) <= 32764, "all parameters together");
  std::copy(h.begin(), h.end(), parameter.h);
  const int blocks = ceil_div(sizes.outputs, threads_per_block);
  convolve_parameter_taps_kernel<<<blocks, threads_per_block, 0, stream>>>(
      wrapping_data(x), sizes.samples, sizes.taps, parameter, wrapping_data(y), sizes.outputs, sizes.first);
  check(cudaGetLastError());
}
// [launch]

}  // namespace

// [wrapper]
template <class T>
void convolve_parameter_taps(device_span<const T> x, std::span<const T> h, device_span<T> y,
                             convolution_mode mode, cudaStream_t stream) {
  const int_sizes sizes = checked_int_sizes(x.size(), h.size(), y.size(), mode, threads_per_block);
  // Every launch carries the whole parameter, so a short filter gets a small one.
  if (h.size_bytes() <= 256)
    launch<256>(x, h, y, sizes, stream);
  else if (h.size_bytes() <= 4064)  // with the other parameters at most 4096 bytes
    launch<4064>(x, h, y, sizes, stream);
  else if (h.size_bytes() <= parameter_bytes)
    launch<parameter_bytes>(x, h, y, sizes, stream);
  else
    throw std::invalid_argument(
        std::to_string(h.size()) + " taps of " + std::string(name(element_type_of<T>())) +
        " do not fit into a kernel's parameters: beside the others there is room for " +
        std::to_string(max_parameter_taps<T>));
}
// [wrapper]

template void convolve_parameter_taps<std::int32_t>(device_span<const std::int32_t>,
                                                    std::span<const std::int32_t>, device_span<std::int32_t>,
                                                    convolution_mode, cudaStream_t);
template void convolve_parameter_taps<float>(device_span<const float>, std::span<const float>,
                                             device_span<float>, convolution_mode, cudaStream_t);
template void convolve_parameter_taps<double>(device_span<const double>, std::span<const double>,
                                              device_span<double>, convolution_mode, cudaStream_t);

}  // namespace tutorial

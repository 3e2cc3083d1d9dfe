// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <type_traits>
#include <vector>

#include "broken.hpp"
#include "common/device/ceil_div.hpp"
#include "common/device/wrapping.hpp"
#include "common/verify/mistakes.hpp"
#include "tap_storage.cuh"

namespace tutorial::broken {
namespace {

constexpr int threads_per_block = 256;
/// So many other taps come first in the buffer, so that the copy needs an offset.
constexpr int taps_before = 4;

/// A type that is not T, no larger, and as good as it at first sight.
template <class T>
using mistaken = std::conditional_t<std::is_same_v<T, float>, unsigned, float>;

template <mistake Made, class T>
__global__ void broken_kernel(const T* x, int samples, int taps, T* y, int outputs, int first) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= outputs) return;
  using tap_type = std::conditional_t<Made == mistake::other_type, mistaken<T>, T>;
  const tap_type* const h = constant_taps<tap_type>() + taps_before;
  const int n = first + i;
  T sum{};
  for (int j = 0; j < taps; ++j) {
    const int k = Made == mistake::tap_per_lane ? (j + int(threadIdx.x)) % taps : j;
    const int m = n - k;
    const int tap = Made == mistake::taps_reversed ? taps - 1 - k : k;
    if (0 <= m && m < samples) sum += static_cast<T>(h[tap]) * x[m];
  }
  y[i] = sum;
}

template <class T>
cudaError_t copy_taps(device_span<const T> h, std::size_t bytes, std::size_t offset) {
  return cudaMemcpyToSymbolAsync(tap_storage, h.data(), bytes, offset, cudaMemcpyDeviceToDevice);
}

/// Zeros in the whole storage, once: what a kernel reads beside the taps has then been written, and the
/// checks see what it makes of that.
void fill_storage() {
  [[maybe_unused]] static const bool filled = [] {
    const std::vector<unsigned char> zeros(sizeof(tap_storage));
    check(cudaMemcpyToSymbol(tap_storage, zeros.data(), zeros.size()));
    return true;
  }();
}

constexpr int parameter_taps = 64;

template <class T>
struct tap_parameter {
  T h[parameter_taps];
};

/// The taps come as a parameter.
template <class T>
__global__ void broken_parameter_kernel(const __grid_constant__ tap_parameter<T> parameter, int taps,
                                        const T* x, int samples, T* y, int outputs, int first) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= outputs) return;
  T sum{};
  for (int k = 0; k < taps; ++k) {
    const int m = first + i - k;
    if (0 <= m && m < samples) sum += parameter.h[k] * x[m];
  }
  y[i] = sum;
}

template <mistake Made, class T>
void launch_parameter(device_span<const T> x, device_span<const T> h, device_span<T> y,
                      convolution_mode mode) {
  const std::size_t taps = std::min(h.size(), std::size_t{parameter_taps});
  tap_parameter<wrapping<T>> parameter{};
  check(cudaMemcpy(parameter.h, h.data(), Made == mistake::parameter_bytes ? taps : taps * sizeof(T),
                   cudaMemcpyDeviceToHost));
  const int outputs = static_cast<int>(y.size());
  broken_parameter_kernel<<<ceil_div(outputs, threads_per_block), threads_per_block>>>(
      parameter, static_cast<int>(taps), wrapping_data(x), static_cast<int>(x.size()), wrapping_data(y),
      outputs, static_cast<int>(first_output(x.size(), h.size(), mode)));
  check(cudaGetLastError());
}

/// No test for ghosts in blocks that are taken for interior ones.
template <class T>
__global__ void broken_interior_kernel(const T* x, int samples, int taps, T* y, int outputs, int first) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= outputs) return;
  const T* const h = constant_taps<T>();
  const int block_n = first + blockIdx.x * blockDim.x;
  // The mistake: the block's first outputs need samples from before block_n, too.
  const bool interior = 0 < block_n && block_n + static_cast<int>(blockDim.x) <= samples;
  T sum{};
  for (int k = 0; k < taps; ++k) {
    const int m = first + i - k;
    if (interior || (0 <= m && m < samples)) sum += h[k] * x[m];
  }
  y[i] = sum;
}

template <class T>
void launch_interior(device_span<const T> x, device_span<const T> h, device_span<T> y,
                     convolution_mode mode) {
  check(copy_taps(h, h.size_bytes(), 0));
  const int outputs = static_cast<int>(y.size());
  broken_interior_kernel<<<ceil_div(outputs, threads_per_block), threads_per_block>>>(
      wrapping_data(x), static_cast<int>(x.size()), static_cast<int>(h.size()), wrapping_data(y), outputs,
      static_cast<int>(first_output(x.size(), h.size(), mode)));
  check(cudaGetLastError());
}

template <mistake Made, class T>
void launch(device_span<const T> x, device_span<const T> h, device_span<T> y, convolution_mode mode) {
  const std::size_t fitting = max_constant_taps<T> - taps_before;
  const std::size_t offset = Made == mistake::offset_for_elements ? taps_before : taps_before * sizeof(T);
  std::size_t bytes = h.size_bytes();
  if (Made == mistake::elements_for_bytes) bytes = h.size();
  if (Made == mistake::cut_off) bytes = std::min(h.size(), fitting) * sizeof(T);
  fill_storage();
  static std::size_t last_taps = 0;
  if (Made != mistake::stale_taps || last_taps != h.size()) {
    const cudaError_t status = copy_taps(h, bytes, offset);
    if (Made == mistake::status_ignored)
      static_cast<void>(cudaGetLastError());  // and it is forgotten
    else
      check(status);
  }
  last_taps = h.size();
  if (Made == mistake::second_filter) {  // y as a filter: its bytes are NaN
    const std::size_t taken = std::min(h.size(), y.size());
    check(copy_taps(device_span<const T>(y.data(), taken), taken * sizeof(T), offset));
  }
  // No kernel reads behind the buffer: what happens then differs from one GPU to the next.
  const int taps = static_cast<int>(std::min(h.size(), fitting));
  const int outputs = static_cast<int>(y.size());
  const int blocks = ceil_div(outputs, threads_per_block);
  broken_kernel<Made, wrapping<T>>
      <<<blocks, threads_per_block>>>(wrapping_data(x), static_cast<int>(x.size()), taps, wrapping_data(y),
                                      outputs, static_cast<int>(first_output(x.size(), h.size(), mode)));
  check(cudaGetLastError());
}

}  // namespace

template <class T>
void convolve(mistake made, device_span<const T> x, device_span<const T> h, device_span<T> y,
              convolution_mode mode) {
  using enum mistake;
  if (made == interior_too_large) return launch_interior(x, h, y, mode);
  with_mistakes<parameter_cut_off, parameter_bytes>(
      made, [&](auto constant) { launch_parameter<constant.value, T>(x, h, y, mode); });
  with_mistakes<none, second_filter>(made, [&](auto constant) { launch<constant.value, T>(x, h, y, mode); });
}

template void convolve<std::int32_t>(mistake, device_span<const std::int32_t>,
                                     device_span<const std::int32_t>, device_span<std::int32_t>,
                                     convolution_mode);
template void convolve<float>(mistake, device_span<const float>, device_span<const float>, device_span<float>,
                              convolution_mode);
template void convolve<double>(mistake, device_span<const double>, device_span<const double>,
                               device_span<double>, convolution_mode);

}  // namespace tutorial::broken

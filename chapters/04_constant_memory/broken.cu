// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <type_traits>

#include "broken.hpp"
#include "common/device/ceil_div.hpp"
#include "common/device/wrapping.hpp"
#include "common/verify/mistakes.hpp"
#include "tap_storage.cuh"

namespace tutorial::broken {
namespace {

constexpr int threads_per_block = 256;
/// The taps lie behind so many others: whoever copies them there needs an offset.
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

template <mistake Made, class T>
void launch(device_span<const T> x, device_span<const T> h, device_span<T> y, convolution_mode mode) {
  const std::size_t fitting = max_constant_taps<T> - taps_before;
  const std::size_t offset = Made == mistake::offset_for_elements ? taps_before : taps_before * sizeof(T);
  std::size_t bytes = h.size_bytes();
  if (Made == mistake::elements_for_bytes) bytes = h.size();
  if (Made == mistake::cut_off) bytes = std::min(h.size(), fitting) * sizeof(T);
  static std::size_t last_taps = 0;
  if (Made != mistake::stale_taps || last_taps != h.size()) {
    const cudaError_t status = copy_taps(h, bytes, offset);
    if (Made == mistake::status_ignored)
      static_cast<void>(cudaGetLastError());  // and it is forgotten
    else
      check(status);
  }
  last_taps = h.size();
  if (Made == mistake::second_filter) {  // y + y is not wanted as a filter by anyone: its bytes are NaN
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
  with_mistake<none, taps_reversed, elements_for_bytes, offset_for_elements, other_type, stale_taps, cut_off,
               status_ignored, tap_per_lane, second_filter>(
      made, [&](auto constant) { launch<constant.value, T>(x, h, y, mode); });
}

template void convolve<std::int32_t>(mistake, device_span<const std::int32_t>,
                                     device_span<const std::int32_t>, device_span<std::int32_t>,
                                     convolution_mode);
template void convolve<float>(mistake, device_span<const float>, device_span<const float>, device_span<float>,
                              convolution_mode);
template void convolve<double>(mistake, device_span<const double>, device_span<const double>,
                               device_span<double>, convolution_mode);

}  // namespace tutorial::broken

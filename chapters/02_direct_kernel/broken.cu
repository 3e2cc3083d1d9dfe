// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <type_traits>

#include "broken.hpp"
#include "common/device/ceil_div.hpp"
#include "common/device/check.hpp"
#include "common/device/wrapping.hpp"
#include "common/verify/mistakes.hpp"

namespace tutorial::broken {
namespace {

constexpr int threads_per_block = 256;

template <mistake Made, class T>
__global__ void broken_kernel(const T* x, int samples, const T* h, int taps, T* y, int outputs, int first) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (Made != mistake::no_guard && i >= outputs) return;
  const int n = first + i;
  int k_begin = 0, k_end = taps;
  if constexpr (Made == mistake::first_tap_lost) k_begin = 1;
  if constexpr (Made == mistake::last_tap_lost) k_end = taps - 1;

  const int block_n = n - threadIdx.x;
  const bool interior = taps - 1 <= block_n && block_n + threads_per_block <= samples + 1;

  std::conditional_t<Made == mistake::sum_in_float, float, T> sum{};
  for (int k = k_begin; k < k_end; ++k) {
    int m = n - k;
    if constexpr (Made == mistake::not_flipped) m = n - (taps - 1) + k;
    if constexpr (Made == mistake::ghosts_not_zero) m = min(max(m, 0), samples - 1);
    const int end = Made == mistake::one_sample_more ? samples + 1 : samples;
    if ((Made == mistake::interior_too_wide && interior) || (0 <= m && m < end)) sum += h[k] * x[m];
  }
  y[i] = static_cast<T>(sum);
}

template <mistake Made, class T>
void launch(device_span<const T> x, device_span<const T> h, device_span<T> y, convolution_mode mode) {
  auto [samples, taps, outputs, first] =
      checked_int_sizes(x.size(), h.size(), y.size(), mode, threads_per_block);
  if (Made == mistake::same_rounded_up && mode == convolution_mode::same) first = taps / 2;
  int blocks = ceil_div(outputs, threads_per_block);
  if (Made == mistake::grid_rounded_down) blocks = outputs / threads_per_block;
  if (blocks == 0) return;  // an empty grid would be refused
  broken_kernel<Made, wrapping<T>><<<blocks, threads_per_block>>>(wrapping_data(x), samples, wrapping_data(h),
                                                                  taps, wrapping_data(y), outputs, first);
  check(cudaGetLastError());
}

}  // namespace

/// broken_kernel in place of the direct kernel.
template <class T>
void convolve(mistake made, device_span<const T> x, device_span<const T> h, device_span<T> y,
              convolution_mode mode) {
  using enum mistake;
  with_mistakes<none, interior_too_wide>(made,
                                         [&](auto constant) { launch<constant.value, T>(x, h, y, mode); });
}

template void convolve<std::int32_t>(mistake, device_span<const std::int32_t>,
                                     device_span<const std::int32_t>, device_span<std::int32_t>,
                                     convolution_mode);
template void convolve<float>(mistake, device_span<const float>, device_span<const float>, device_span<float>,
                              convolution_mode);
template void convolve<double>(mistake, device_span<const double>, device_span<const double>,
                               device_span<double>, convolution_mode);

}  // namespace tutorial::broken

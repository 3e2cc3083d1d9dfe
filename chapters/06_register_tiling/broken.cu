// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "broken.hpp"

#include <cstdint>

#include "common/device/ceil_div.hpp"
#include "common/device/check.hpp"
#include "common/verify/mistakes.hpp"
#include "vectors.cuh"

namespace tutorial::broken {
namespace {

constexpr int threads_per_block = 64;
constexpr int taps_per_part = 32;

/// A vector of outputs per thread, from a window of as many samples that moves by one for each tap.
template <mistake Made, class T>
__global__ void broken_kernel(const T* x, int samples, const T* h, int taps, T* y, int outputs, int first,
                              int head, int shift) {
  constexpr int width = vector_size<T>;
  const int i = (blockIdx.x * blockDim.x + threadIdx.x) * width - head;
  const int n = first + i - (Made == mistake::shift_forgotten ? shift : 0);
  const auto sample = [&](int m) { return 0 <= m && m < samples ? x[m] : T{}; };
  T window[width], sum[width] = {};
  for (int r = 0; r < width; ++r) window[r] = sample(n + r);
  int end = taps;
  if constexpr (Made == mistake::last_taps_lost) end = taps / 4 * 4;
  if constexpr (Made == mistake::zero_taps) end = (taps + 3) / 4 * 4;
  for (int k = 0; k < end; ++k) {
    if (Made == mistake::parts_overwrite && k % taps_per_part == 0)
      for (int r = 0; r < width; ++r) sum[r] = T{};
    const T tap = k < taps ? h[k] : T{};
    for (int r = 0; r < width; ++r) sum[r] += tap * window[r];
    if constexpr (Made != mistake::window_not_moved)
      for (int r = width - 1; r > 0; --r) window[r] = window[r - 1];
    if constexpr (Made == mistake::window_moved_twice)
      for (int r = width - 1; r > 0; --r) window[r] = window[r - 1];
    window[0] = sample(n - k - (Made == mistake::new_sample_late ? 0 : 1));
  }
  for (int r = 0; r < width; ++r) {
    const bool before = i + r < 0 && Made != mistake::first_vector_not_cut;
    const bool behind = i + r >= outputs && (Made != mistake::last_vector_not_cut || i >= outputs);
    if (!before && !behind) y[i + r] = sum[r];
  }
}

template <mistake Made, class T>
void launch(device_span<const T> x, device_span<const T> h, device_span<T> y, convolution_mode mode) {
  const auto [samples, taps, outputs, first] =
      checked_int_sizes(x.size(), h.size(), y.size(), mode, threads_per_block);
  const int head = elements_past_boundary(y.data()), width = vector_size<wrapping<T>>;
  const int shift = (elements_past_boundary(x.data()) + width - head) % width;
  const int block = threads_per_block * width, blocks = ceil_div(outputs + head, block);
  broken_kernel<Made, wrapping<T>><<<blocks, threads_per_block>>>(
      wrapping_data(x), samples, wrapping_data(h), taps, wrapping_data(y), outputs, first, head, shift);
  check(cudaGetLastError());
}

}  // namespace

/// broken_kernel in place of the chapter's kernels.
template <class T>
void convolve(mistake made, device_span<const T> x, device_span<const T> h, device_span<T> y,
              convolution_mode mode) {
  using enum mistake;
  with_mistakes<none, last_vector_not_cut>(made,
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

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Convolution on all cores of the CPU, each with vector instructions.
#include <algorithm>
#include <cstddef>
#include <vector>

#include "common/device/wrapping.hpp"
#include "convolve_serial.hpp"

namespace tutorial {
namespace {

// Outputs that a core computes at a time: they stay in its nearest cache.
constexpr std::ptrdiff_t tile_outputs = 2048;

// [tile]
/// y[i] = sum over k of h[k] x[i - k] for 0 <= i < count. x[-(taps - 1)] to x[count - 1] must exist.
template <class T>
void sum_tile(const T* x, const T* h, std::ptrdiff_t taps, T* y, std::ptrdiff_t count) {
  std::fill_n(y, count, T{});
  std::ptrdiff_t k = 0;
  // Neighboring outputs need neighboring samples: the inner loop runs over i, not k, and becomes vector
  // instructions. Four taps at a time, so that each y[i] is loaded and stored once for four products.
  for (; k + 4 <= taps; k += 4) {
    const T h0 = h[k], h1 = h[k + 1], h2 = h[k + 2], h3 = h[k + 3];
    const T* x0 = x - k;
#pragma omp simd
    for (std::ptrdiff_t i = 0; i < count; ++i)
      y[i] += h0 * x0[i] + h1 * x0[i - 1] + h2 * x0[i - 2] + h3 * x0[i - 3];
  }
  for (; k < taps; ++k) {
    const T h0 = h[k];
    const T* x0 = x - k;
#pragma omp simd
    for (std::ptrdiff_t i = 0; i < count; ++i) y[i] += h0 * x0[i];
  }
}
// [tile]

// [parallel]
/// One core's share: the outputs [begin, end) of full. Only at the two ends of the signal are there ghosts;
/// there the samples are first copied between zeros, so that sum_tile needs no condition.
template <class T>
void convolve_tile(std::span<const T> x, std::span<const T> h, T* y, std::ptrdiff_t begin, std::ptrdiff_t end,
                   std::vector<T>& padded) {
  const auto samples = std::ssize(x), halo = std::ssize(h) - 1;
  if (halo <= begin && end <= samples) return sum_tile(x.data() + begin, h.data(), halo + 1, y, end - begin);

  // padded[j] == x[begin - halo + j], or 0 where there is no such sample
  padded.assign(halo + end - begin, T{});
  const auto from = std::clamp<std::ptrdiff_t>(begin - halo, 0, samples);
  const auto to = std::clamp<std::ptrdiff_t>(end, 0, samples);
  std::copy(x.begin() + from, x.begin() + to, padded.begin() + (from - (begin - halo)));
  sum_tile(padded.data() + halo, h.data(), halo + 1, y, end - begin);
}

template <class T>
void convolve_all_cores(std::span<const T> x, std::span<const T> h, std::span<T> y, std::ptrdiff_t first) {
#pragma omp parallel
  {
    std::vector<T> padded;  // one per core
#pragma omp for schedule(static)
    for (std::ptrdiff_t i = 0; i < std::ssize(y); i += tile_outputs)
      convolve_tile(x, h, y.data() + i, first + i, first + std::min(i + tile_outputs, std::ssize(y)), padded);
  }
}
// [parallel]

template <class T, class U>
std::span<T> reinterpret(std::span<U> range) {
  return {reinterpret_cast<T*>(range.data()), range.size()};
}

}  // namespace

template <class T>
void convolve_all_cores(std::span<const T> x, std::span<const T> h, std::span<T> y, convolution_mode mode) {
  require_output_length(x.size(), h.size(), y.size(), mode);
  using W = wrapping<T>;  // reading int32 as uint32 is allowed, and sums then wrap
  convolve_all_cores<W>(reinterpret<const W>(x), reinterpret<const W>(h), reinterpret<W>(y),
                        static_cast<std::ptrdiff_t>(first_output(x.size(), h.size(), mode)));
}

template void convolve_all_cores<std::int32_t>(std::span<const std::int32_t>, std::span<const std::int32_t>,
                                               std::span<std::int32_t>, convolution_mode);
template void convolve_all_cores<float>(std::span<const float>, std::span<const float>, std::span<float>,
                                        convolution_mode);
template void convolve_all_cores<double>(std::span<const double>, std::span<const double>, std::span<double>,
                                         convolution_mode);

}  // namespace tutorial

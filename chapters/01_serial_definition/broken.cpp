// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "broken.hpp"

#include <algorithm>
#include <cstddef>

#include "common/device/wrapping.hpp"

namespace tutorial::broken {
namespace {

/// The definition with holes: tap(k) and sample(n, k) are where each mistake is put.
template <class T, class Sample>
void gather(std::span<const T> h, std::span<T> y, std::ptrdiff_t first, std::ptrdiff_t taps, Sample sample) {
  for (std::ptrdiff_t i = 0; i < std::ssize(y); ++i) {
    wrapping<T> sum{};
    for (std::ptrdiff_t k = 0; k < taps; ++k) sum += wrapping<T>(h[k]) * wrapping<T>(sample(first + i, k));
    y[i] = static_cast<T>(sum);
  }
}

template <class T>
std::ptrdiff_t first(std::span<const T> x, std::span<const T> h, convolution_mode mode) {
  return static_cast<std::ptrdiff_t>(first_output(x.size(), h.size(), mode));
}

template <class T>
T sample_or_zero(std::span<const T> x, std::ptrdiff_t m) {
  return 0 <= m && m < std::ssize(x) ? x[m] : T{};
}

}  // namespace

template <class T>
void not_flipped(std::span<const T> x, std::span<const T> h, std::span<T> y, convolution_mode mode) {
  gather(h, y, first(x, h, mode) - (std::ssize(h) - 1), std::ssize(h),
         [&](std::ptrdiff_t n, std::ptrdiff_t k) { return sample_or_zero(x, n + k); });
}

template <class T>
void last_tap_lost(std::span<const T> x, std::span<const T> h, std::span<T> y, convolution_mode mode) {
  gather(h, y, first(x, h, mode), std::ssize(h) - 1,
         [&](std::ptrdiff_t n, std::ptrdiff_t k) { return sample_or_zero(x, n - k); });
}

template <class T>
void ghosts_not_zero(std::span<const T> x, std::span<const T> h, std::span<T> y, convolution_mode mode) {
  gather(h, y, first(x, h, mode), std::ssize(h), [&](std::ptrdiff_t n, std::ptrdiff_t k) {
    return x[std::clamp<std::ptrdiff_t>(n - k, 0, std::ssize(x) - 1)];
  });
}

template <class T>
void same_rounded_up(std::span<const T> x, std::span<const T> h, std::span<T> y, convolution_mode mode) {
  const std::ptrdiff_t begin = mode == convolution_mode::same ? std::ssize(h) / 2 : first(x, h, mode);
  gather(h, y, begin, std::ssize(h),
         [&](std::ptrdiff_t n, std::ptrdiff_t k) { return sample_or_zero(x, n - k); });
}

template <class T>
void not_cleared(std::span<const T> x, std::span<const T> h, std::span<T> y, convolution_mode mode) {
  for (std::ptrdiff_t m = 0; m < std::ssize(x); ++m)
    for (std::ptrdiff_t k = 0; k < std::ssize(h); ++k) {
      const std::ptrdiff_t i = m + k - first(x, h, mode);
      if (0 <= i && i < std::ssize(y))
        y[i] = static_cast<T>(wrapping<T>(y[i]) + wrapping<T>(h[k]) * wrapping<T>(x[m]));
    }
}

#define INSTANTIATE(function, T) \
  template void function<T>(std::span<const T>, std::span<const T>, std::span<T>, convolution_mode)
#define INSTANTIATE_ALL(T)         \
  INSTANTIATE(not_flipped, T);     \
  INSTANTIATE(last_tap_lost, T);   \
  INSTANTIATE(ghosts_not_zero, T); \
  INSTANTIATE(same_rounded_up, T); \
  INSTANTIATE(not_cleared, T)
INSTANTIATE_ALL(std::int32_t);
INSTANTIATE_ALL(float);
INSTANTIATE_ALL(double);

}  // namespace tutorial::broken

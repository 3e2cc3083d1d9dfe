// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Convolution on one core, straight from the definition: by output, by sample, and with a reversed filter.
#include "convolve_serial.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "common/device/wrapping.hpp"

namespace tutorial {

// [gather]
/// Output n of full, straight from the definition.
template <class T>
T gather_output(std::span<const T> x, std::span<const T> h, std::ptrdiff_t n) {
  wrapping<T> sum{};
  for (std::ptrdiff_t k = 0; k < std::ssize(h); ++k)
    if (0 <= n - k && n - k < std::ssize(x))  // a ghost sample is zero: leave it out
      sum += wrapping<T>(h[k]) * wrapping<T>(x[n - k]);
  return static_cast<T>(sum);
}

template <class T>
void convolve_gather(std::span<const T> x, std::span<const T> h, std::span<T> y, convolution_mode mode) {
  require_output_length(x.size(), h.size(), y.size(), mode);
  const auto first = static_cast<std::ptrdiff_t>(first_output(x.size(), h.size(), mode));
  for (std::ptrdiff_t i = 0; i < std::ssize(y); ++i) y[i] = gather_output(x, h, first + i);
}
// [gather]

namespace {

/// Outputs that are summed at the same time, so that no product waits for the sum before it. Each sum adds
/// its products in the order of gather_output().
constexpr std::ptrdiff_t side_by_side = 16;

/// Products: fewer are done before threads have begun.
constexpr std::ptrdiff_t worth_threads = 1 << 18;

/// Outputs n to n + side_by_side - 1 of full, none of which meets a ghost sample.
template <class T>
void gather_side_by_side(std::span<const T> x, std::span<const T> h, std::ptrdiff_t n, T* to) {
  wrapping<T> sums[side_by_side]{};
  for (std::ptrdiff_t k = 0; k < std::ssize(h); ++k)
    for (std::ptrdiff_t j = 0; j < side_by_side; ++j)
      sums[j] += wrapping<T>(h[k]) * wrapping<T>(x[n + j - k]);
  for (std::ptrdiff_t j = 0; j < side_by_side; ++j) to[j] = static_cast<T>(sums[j]);
}

}  // namespace

template <class T>
void convolve_gather_on_all_cores(std::span<const T> x, std::span<const T> h, std::span<T> y,
                                  convolution_mode mode) {
  require_output_length(x.size(), h.size(), y.size(), mode);
  const auto first = static_cast<std::ptrdiff_t>(first_output(x.size(), h.size(), mode));
#pragma omp parallel for schedule(static) if (std::ssize(y) * std::ssize(h) >= worth_threads)
  for (std::ptrdiff_t i = 0; i < std::ssize(y); i += side_by_side) {
    const std::ptrdiff_t n = first + i, count = std::min(side_by_side, std::ssize(y) - i);
    if (count == side_by_side && n >= std::ssize(h) - 1 && n + count <= std::ssize(x))
      gather_side_by_side(x, h, n, &y[i]);
    else
      for (std::ptrdiff_t j = 0; j < count; ++j) y[i + j] = gather_output(x, h, n + j);
  }
}

// [scatter]
template <class T>
void convolve_scatter(std::span<const T> x, std::span<const T> h, std::span<T> y, convolution_mode mode) {
  require_output_length(x.size(), h.size(), y.size(), mode);
  const auto first = static_cast<std::ptrdiff_t>(first_output(x.size(), h.size(), mode));

  std::ranges::fill(y, T{});
  for (std::ptrdiff_t m = 0; m < std::ssize(x); ++m)
    for (std::ptrdiff_t k = 0; k < std::ssize(h); ++k) {
      const std::ptrdiff_t i = m + k - first;  // where x[m] h[k] belongs, if this mode wants it
      if (0 <= i && i < std::ssize(y))
        y[i] = static_cast<T>(wrapping<T>(y[i]) + wrapping<T>(h[k]) * wrapping<T>(x[m]));
    }
}
// [scatter]

// [reversed]
template <class T>
void convolve_reversed(std::span<const T> x, std::span<const T> h, std::span<T> y, convolution_mode mode) {
  require_output_length(x.size(), h.size(), y.size(), mode);
  const auto samples = std::ssize(x), taps = std::ssize(h);
  const auto first = static_cast<std::ptrdiff_t>(first_output(x.size(), h.size(), mode));
  const std::vector<T> g(h.rbegin(), h.rend());  // g[j] == h[taps - 1 - j]

  for (std::ptrdiff_t i = 0; i < std::ssize(y); ++i) {
    const std::ptrdiff_t m_begin = first + i - (taps - 1);  // g[j] meets x[m_begin + j]
    const std::ptrdiff_t j_begin = std::max<std::ptrdiff_t>(0, -m_begin);
    const std::ptrdiff_t j_end = std::min(taps, samples - m_begin);
    wrapping<T> sum{};
    for (std::ptrdiff_t j = j_begin; j < j_end; ++j) sum += wrapping<T>(g[j]) * wrapping<T>(x[m_begin + j]);
    y[i] = static_cast<T>(sum);
  }
}
// [reversed]

// The three types of the tutorial.
#define INSTANTIATE(function, T) \
  template void function<T>(std::span<const T>, std::span<const T>, std::span<T>, convolution_mode)
#define INSTANTIATE_ALL(T)                      \
  INSTANTIATE(convolve_gather, T);              \
  INSTANTIATE(convolve_gather_on_all_cores, T); \
  INSTANTIATE(convolve_scatter, T);             \
  INSTANTIATE(convolve_reversed, T)
INSTANTIATE_ALL(std::int32_t);
INSTANTIATE_ALL(float);
INSTANTIATE_ALL(double);

}  // namespace tutorial

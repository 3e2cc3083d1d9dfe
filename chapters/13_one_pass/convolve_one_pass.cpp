// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "convolve_one_pass.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "07_fft_convolution/host/fft_rounding.hpp"
#include "13_one_pass/kernels/one_pass_kernels.hpp"
#include "common/device/ceil_div.hpp"
#include "common/device/check.hpp"
#include "common/files/numbers.hpp"

namespace tutorial {
namespace {

constexpr std::array<one_pass_design, 4> designs = {
    {{256, 64, true}, {1024, 256, true}, {4096, 1024, false}, {8192, 4096, false}}};
constexpr std::array<one_pass_design, 2> designs_of_double = {designs[0], designs[2]};

template <class T>
void launch(const one_pass_design& design, const segmented<T>& all, const one_pass_tables<T>& tables,
            cudaStream_t stream, bool new_filter) {
  if (design.length == 256) return launch_one_pass_warp<T, 16, 64>(all, tables, stream, new_filter);
  if (design.length == 4096) return launch_one_pass_block<T, 16, 1024>(all, tables, stream, new_filter);
  if constexpr (sizeof(T) == 4) {
    if (design.length == 1024) return launch_one_pass_warp<T, 32, 256>(all, tables, stream, new_filter);
    return launch_one_pass_block<T, 32, 4096>(all, tables, stream, new_filter);
  }
}

template <class T>
void prepare(const one_pass_design& design) {
  if (design.length == 4096) prepare_one_pass_block<T, 16, 1024>();
  if constexpr (sizeof(T) == 4) {
    if (design.length == 8192) prepare_one_pass_block<T, 32, 4096>();
  }
}

template <class T>
void launch_filter(const one_pass_design& design, device_span<const T> h, const one_pass_tables<T>& tables,
                   cudaStream_t stream) {
  if (design.length == 256) return launch_one_pass_warp_filter<T, 16>(h, tables, stream);
  if (design.length == 4096) return launch_one_pass_block_filter<T, 16>(h, tables, stream);
  if constexpr (sizeof(T) == 4) {
    if (design.length == 1024) return launch_one_pass_warp_filter<T, 32>(h, tables, stream);
    return launch_one_pass_block_filter<T, 32>(h, tables, stream);
  }
}

}  // namespace

template <class T>
std::span<const one_pass_design> one_pass_designs() {
  if constexpr (sizeof(T) == 4)
    return designs;
  else
    return designs_of_double;
}

template <class T>
one_pass_design shortest_one_pass_design(std::size_t taps) {
  for (const one_pass_design& each : one_pass_designs<T>())
    if (taps <= std::size_t(each.overlap) + 1) return each;
  throw std::invalid_argument("too many taps for one pass, which takes " +
                              grouped(longest_one_pass_filter<T>) + " at most: its segments are not longer");
}

template <class T>
one_pass_design one_pass_design_of(std::size_t taps, int length) {
  if (length == 0) return shortest_one_pass_design<T>(taps);
  for (const one_pass_design& each : one_pass_designs<T>()) {
    if (each.length != length) continue;
    const std::size_t most = std::size_t(each.overlap) + 1;
    if (taps <= most) return each;
    throw std::invalid_argument("segments of " + grouped(std::size_t(length)) + " samples take " +
                                grouped(most) + " taps at most");
  }
  throw std::invalid_argument("one pass has no segments of " + std::to_string(length) + " samples");
}

template <class T>
one_pass_convolver<T>::one_pass_convolver(device_span<const T> h, std::size_t samples, convolution_mode mode,
                                          std::size_t signals, int length)
    : design_(one_pass_design_of<T>(h.size(), length)), taps_(h.size()), signals_(signals), memory_(design_) {
  // A block of the warps' kernel has up to 16 segments, and counts those behind the last one, too.
  const int_sizes sizes = checked_int_sizes(samples, h.size(), output_length(samples, h.size(), mode), mode,
                                            16 * std::size_t(design_.length));
  if (signals == 0) throw std::invalid_argument("one pass needs at least one signal");
  const int segments = ceil_div(sizes.outputs, design_.outputs());
  if (signals > std::size_t(std::numeric_limits<int>::max() - 1) / std::size_t(segments))
    throw std::length_error("too many segments for one launch: split the signals into several calls");
  segments_ = {.x = nullptr,
               .y = nullptr,
               .samples = sizes.samples,
               .outputs = sizes.outputs,
               .first = sizes.first,
               .segments = segments,
               .of_all = segments * int(signals)};
  prepare<T>(design_);
  set_filter(h);
}

template <class T>
void one_pass_convolver<T>::set_filter(device_span<const T> h, cudaStream_t stream) {
  if (h.size() != taps_) throw std::invalid_argument("this object was made for other lengths");
  launch_filter(design_, h, memory_.tables(), stream);
}

template <class T>
void one_pass_convolver<T>::operator()(device_span<const T> x, device_span<T> y, cudaStream_t stream) const {
  convolve(x, y, stream, false);
}

template <class T>
void one_pass_convolver<T>::operator()(device_span<const T> x, device_span<const T> h, device_span<T> y,
                                       cudaStream_t stream) {
  require_lengths(x, y);  // before the filter is another one
  set_filter(h, stream);
  convolve(x, y, stream, true);
}

template <class T>
void one_pass_convolver<T>::require_lengths(device_span<const T> x, device_span<T> y) const {
  if (x.size() != std::size_t(segments_.samples) * signals_ ||
      y.size() != std::size_t(segments_.outputs) * signals_)
    throw std::invalid_argument("this object was made for other lengths");
}

template <class T>
void one_pass_convolver<T>::convolve(device_span<const T> x, device_span<T> y, cudaStream_t stream,
                                     bool new_filter) const {
  require_lengths(x, y);
  segmented<T> all = segments_;
  all.x = x.data(), all.y = y.data();
  launch(design_, all, memory_.tables(), stream, new_filter);
}

template <class T>
void convolve_one_pass(device_span<const T> x, device_span<const T> h, device_span<T> y,
                       convolution_mode mode) {
  require_output_length(x.size(), h.size(), y.size(), mode);
  const one_pass_convolver<T> convolve(h, x.size(), mode);
  convolve(x, y);
  check(cudaDeviceSynchronize());  // what it works with goes away
}

template <class T>
rounding_allowance one_pass_rounding(std::span<const T> x, std::span<const T> h, std::span<const T> expected,
                                     const one_pass_design& design) {
  const auto length = std::size_t(design.length);
  rounding_allowance allowed = fft_rounding(x, h, expected, length, false);
  allowed.each *= std::sqrt(2.0);  // the norm of two segments
  // Chapter 07 counts segments of length - K outputs; these have design.outputs().
  allowed.all *= std::sqrt(2.0 * double(design.length) / double(design.outputs()));
  return allowed;
}

#define TUTORIAL_INSTANTIATE_ONE_PASS(T)                                                                    \
  template std::span<const one_pass_design> one_pass_designs<T>();                                          \
  template one_pass_design shortest_one_pass_design<T>(std::size_t);                                        \
  template one_pass_design one_pass_design_of<T>(std::size_t, int);                                         \
  template class one_pass_convolver<T>;                                                                     \
  template void convolve_one_pass(device_span<const T>, device_span<const T>, device_span<T>,               \
                                  convolution_mode);                                                        \
  template rounding_allowance one_pass_rounding(std::span<const T>, std::span<const T>, std::span<const T>, \
                                                const one_pass_design&)
TUTORIAL_INSTANTIATE_ONE_PASS(float);
TUTORIAL_INSTANTIATE_ONE_PASS(double);
#undef TUTORIAL_INSTANTIATE_ONE_PASS

}  // namespace tutorial

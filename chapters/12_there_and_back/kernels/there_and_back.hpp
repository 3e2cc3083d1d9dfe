// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Convolution of a signal in the memory of the host, on the device: there and back.
//
// In all of them: y[n] = sum over k of h[k] x[n - k], for the outputs that `mode` wants; samples outside x
// count as zero. x holds N samples, h holds K taps, y has output_length(N, K, mode) elements; none of them
// overlap. T is std::int32_t (sums wrap modulo 2^32), float or double; float and double are rounded as the
// kernels of chapters 06 and 07 do. All wait until y is there. They throw std::invalid_argument for lengths
// that do not fit, cuda_error where memory is short; by then, too, nothing uses x and y any more.
//
// Each has two forms. prepare_...() makes all that does not depend on the signal: memory, streams, plans,
// and the filter's spectrum. What it returns can be called for many signals of that length, one after the
// other. convolve_...() does both for one signal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "12_there_and_back/host/chunks.hpp"
#include "common/device/settled.hpp"

namespace tutorial {

/// Calls for signals of one length: x and y as above.
template <class T>
using journey = std::function<void(std::span<const T> x, std::span<T> y)>;

/// Copy, kernel, copy, each when the one before has finished: all of the signal is on the device at a time.
/// x and y may be pageable or pinned.
template <class T>
journey<T> prepare_copy_kernel_copy(std::span<const T> h, std::size_t samples, convolution_mode mode);

/// In chunks, and each chunk's copy, kernel and copy in a stream of its own, `buffers` streams in turn. x and
/// y should be pinned: copies of pageable memory wait.
template <class T>
journey<T> prepare_stream_per_chunk(std::span<const T> h, std::size_t samples, convolution_mode mode,
                                    const chunking& how = {});

/// In chunks, with one stream for the copies up, one for the kernels and one for the copies down, around a
/// ring of `buffers` buffers. x and y should be pinned.
template <class T>
journey<T> prepare_stream_per_stage(std::span<const T> h, std::size_t samples, convolution_mode mode,
                                    const chunking& how = {});

/// No copies: the kernels read x and write y where they are. x and y must be pinned (std::invalid_argument
/// otherwise).
template <class T>
journey<T> prepare_zero_copy(std::span<const T> h, std::size_t samples, convolution_mode mode);

/// For pageable x and y: each of `threads` threads of the host takes chunk after chunk, and copies it to
/// pinned memory and back, with a stream and buffers of its own. `how.buffers` is not used.
template <class T>
journey<T> prepare_host_threads(std::span<const T> h, std::size_t samples, convolution_mode mode,
                                const chunking& how = {.outputs = std::size_t{1} << 20}, int threads = 16);

/// The same for one signal.
template <class T>
void convolve_copy_kernel_copy(std::span<const T> x, std::span<const T> h, std::span<T> y,
                               convolution_mode mode) {
  prepare_copy_kernel_copy<T>(h, x.size(), mode)(x, y);
}
/// The same for one signal.
template <class T>
void convolve_stream_per_chunk(std::span<const T> x, std::span<const T> h, std::span<T> y,
                               convolution_mode mode, const chunking& how = {}) {
  prepare_stream_per_chunk<T>(h, x.size(), mode, how)(x, y);
}
/// The same for one signal.
template <class T>
void convolve_stream_per_stage(std::span<const T> x, std::span<const T> h, std::span<T> y,
                               convolution_mode mode, const chunking& how = {}) {
  prepare_stream_per_stage<T>(h, x.size(), mode, how)(x, y);
}
/// The same for one signal.
template <class T>
void convolve_zero_copy(std::span<const T> x, std::span<const T> h, std::span<T> y, convolution_mode mode) {
  prepare_zero_copy<T>(h, x.size(), mode)(x, y);
}
/// The same for one signal.
template <class T>
void convolve_host_threads(std::span<const T> x, std::span<const T> h, std::span<T> y, convolution_mode mode,
                           const chunking& how = {.outputs = std::size_t{1} << 20}, int threads = 16) {
  prepare_host_threads<T>(h, x.size(), mode, how, threads)(x, y);
}

}  // namespace tutorial

/// Instantiates `journey<T> function<T>(h, samples, mode, further...)` for the three types of the tutorial.
#define TUTORIAL_INSTANTIATE_JOURNEY(function, ...)                                                   \
  template journey<std::int32_t> function<std::int32_t>(std::span<const std::int32_t>, std::size_t,   \
                                                        convolution_mode __VA_OPT__(, ) __VA_ARGS__); \
  template journey<float> function<float>(std::span<const float>, std::size_t,                        \
                                          convolution_mode __VA_OPT__(, ) __VA_ARGS__);               \
  template journey<double> function<double>(std::span<const double>, std::size_t,                     \
                                            convolution_mode __VA_OPT__(, ) __VA_ARGS__)

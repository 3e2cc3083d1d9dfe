// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Convolution by transforms that never leave the chip: each sample is read from device memory and each
// output written there once, but for what segments share.
//
// y = h * x: `full` has samples + taps - 1 outputs, `same` samples, `valid` |samples - taps| + 1, as
// everywhere in this tutorial. T is float or double. longest_one_pass_filter<T> taps at most, because a
// segment must be longer than the filter and stay on the chip; samples + taps may be at most 2^31 - 1 - 16 L
// with segments of L samples. Rounding: one_pass_rounding(). A NaN or an infinity reaches the outputs of its
// segment and of the segment in the same transform. x and y must not overlap.
#pragma once

#include <cstddef>
#include <span>

#include "13_one_pass/host/one_pass_tables.hpp"
#include "common/device/device_memory.hpp"
#include "common/verify/compare.hpp"
#include "common/verify/convolution.hpp"

namespace tutorial {

/// By length. For double, two of them: with 32 numbers of 16 bytes a thread would have no registers left.
template <class T>
std::span<const one_pass_design> one_pass_designs();

/// The most taps that one pass takes.
template <class T>
inline constexpr std::size_t longest_one_pass_filter = sizeof(T) == 4 ? 4097 : 1025;

/// The shortest segments that are long enough for the filter. std::invalid_argument where there are none.
template <class T>
one_pass_design shortest_one_pass_design(std::size_t taps);

/// Segments of that length; 0 stands for shortest_one_pass_design(). std::invalid_argument where there are
/// none, or where they are too short for the filter.
template <class T>
one_pass_design one_pass_design_of(std::size_t taps, int length);

/// One filter for many calls. Move-only. It keeps the filter's spectrum and the roots, and no memory that a
/// call writes: calls may run at the same time.
template <class T>
class one_pass_convolver {
 public:
  /// Signals of `samples` samples, `signals` of them in each call, one behind the other, with
  /// one_pass_design_of(taps, length). std::invalid_argument where there is none or no signal;
  /// std::length_error where there are too many segments; cuda_error where a block cannot have the shared
  /// memory of the design: 69,632 bytes for 8,192 floats or 4,096 doubles, less than 48 KiB otherwise. Does
  /// not wait: h is read later, by a kernel in the default stream.
  one_pass_convolver(device_span<const T> h, std::size_t samples, convolution_mode mode,
                     std::size_t signals = 1, int length = 0);

  /// x has the samples of all signals, y their outputs; std::invalid_argument otherwise. Launches one kernel
  /// in the stream and does not wait. What the constructor has begun in the default stream must be done.
  void operator()(device_span<const T> x, device_span<T> y, cudaStream_t stream = nullptr) const;

  /// Another filter with as many taps, for the calls that follow; std::invalid_argument otherwise. Launches
  /// one small kernel in the stream, where the calls before and after it must be, and does not wait: h is
  /// read later.
  void set_filter(device_span<const T> h, cudaStream_t stream = nullptr);

  /// Both: another filter, and the call with it. The kernel of the call may begin while the small one makes
  /// the spectrum, and waits for it where it needs it. Calls that change the filter run one by one.
  void operator()(device_span<const T> x, device_span<const T> h, device_span<T> y,
                  cudaStream_t stream = nullptr);

  /// Which segments it works with.
  const one_pass_design& design() const { return design_; }

 private:
  void require_lengths(device_span<const T> x, device_span<T> y) const;
  void convolve(device_span<const T> x, device_span<T> y, cudaStream_t stream, bool new_filter) const;

  one_pass_design design_;
  std::size_t taps_, signals_;
  segmented<T> segments_;  ///< Without x and y.
  one_pass_memory<T> memory_;
};

/// One call: makes a one_pass_convolver, uses it, and waits before it is gone.
template <class T>
void convolve_one_pass(device_span<const T> x, device_span<const T> h, device_span<T> y,
                       convolution_mode mode);

/// What the segments of `design` may be off: chapter 07's bound for transforms of design.length, with the
/// norms of the two segments of one transform. more.md derives it for these butterflies and roots.
template <class T>
rounding_allowance one_pass_rounding(std::span<const T> x, std::span<const T> h, std::span<const T> expected,
                                     const one_pass_design& design);

}  // namespace tutorial

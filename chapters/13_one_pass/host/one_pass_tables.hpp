// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What a fused kernel is given: where the segments are, the roots of its passes, and the filter.
#pragma once

#include <cuda_runtime.h>

#include <type_traits>

#include "common/device/device_memory.hpp"

namespace tutorial {

/// Two neighbors in memory, real and imaginary part, loaded and stored at once.
template <class T>
using complex_pair = std::conditional_t<sizeof(T) == 4, float2, double2>;

/// A segment of `length` samples, of which the first `overlap` belong to outputs of the one before: taps - 1
/// at most. `in_a_warp`: R threads of a warp have a transform of R x R numbers. Otherwise a block of 256
/// threads has one of R x 16 x 16.
struct one_pass_design {
  int length, overlap;
  bool in_a_warp;
  /// The outputs of a segment.
  constexpr int outputs() const { return length - overlap; }
  /// R, the numbers of a thread in the first pass: 16 or 32.
  constexpr int radix() const { return !in_a_warp ? length / 256 : length == 256 ? 16 : 32; }
};

/// All signals of a call, cut into segments: segment s of a signal is its outputs [s V, (s + 1) V).
template <class T>
struct segmented {
  const T* x;
  T* y;
  int samples, outputs;  ///< Of one signal.
  int first;             ///< y[0] is output `first` of full.
  int segments;          ///< Of one signal.
  int of_all;            ///< Segments of all signals.
};

/// Roots of the passes that know more than their own numbers, and the filter.
template <class T>
struct one_pass_tables {
  /// w and w^4 (for 32 numbers w^16, too) of w = exp(2 pi i turns), one power after the other. `turns` is
  ///     second_forward  reversed(b) / (16 R), b in [0, R): the block of 256 numbers
  ///     third_forward   reversed(b) / L, b in [0, L / 16): the block of 16 numbers
  ///     second_back     u / 256, u in [0, 16): the place in 16 numbers
  ///     third_back      t / L, t in [0, L / R): the place in L / R numbers
  /// A transform of two passes has the third ones only, with blocks of R numbers.
  const complex_pair<T>*second_forward, *third_forward, *second_back, *third_back;
  /// The spectrum of the filter times 1 / L, as the threads hold it: see filter_place().
  complex_pair<T>* filter;
};

/// Where the filter's number i of thread t is: two numbers of a thread lie side by side, for one load.
template <int Threads>
__host__ __device__ constexpr int filter_place(int i, int t) {
  return 2 * (i / 2 * Threads + t) + i % 2;
}

/// Owns these tables for one design, in device memory; those of the filter are not filled. Move-only.
template <class T>
class one_pass_memory {
 public:
  /// Computes the roots in double and rounds them once.
  explicit one_pass_memory(const one_pass_design& design);
  /// Into this object's memory.
  const one_pass_tables<T>& tables() const { return tables_; }

 private:
  device_buffer<complex_pair<T>> kept_;
  one_pass_tables<T> tables_ = {};
};

}  // namespace tutorial

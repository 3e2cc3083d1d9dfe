// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// What a fused kernel is given beside signal and output.
#pragma once

#include <cuda_runtime.h>

#include <type_traits>

namespace tutorial {

/// Two neighbors in memory, real and imaginary part, loaded and stored at once.
template <class T>
using complex_pair = std::conditional_t<sizeof(T) == 4, float2, double2>;

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
  ///     second_forward  reversed(b) / (16 R), b in [0, R): the block of L / R numbers, R those of the first pass
  ///     third_forward   reversed(b) / L, b in [0, L / 16): the block of 16 numbers
  ///     second_back     u / 256, u in [0, 16): the place in a block of 16 numbers
  ///     third_back      t / L, t in [0, L / R): the place in a block of L / R numbers
  /// A transform of two passes has the third ones only.
  const complex_pair<T>*second_forward, *third_forward, *second_back, *third_back;
  /// The spectrum of the filter times 1 / L, as the threads hold it: number i of thread t at [i threads + t].
  complex_pair<T>* filter;
};

}  // namespace tutorial

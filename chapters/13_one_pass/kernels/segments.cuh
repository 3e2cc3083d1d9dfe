// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// How two segments of a signal come into a transform, and what leaves it.
#pragma once

#include <cstdint>

#include "13_one_pass/host/one_pass_tables.hpp"

namespace tutorial {

// [segment]
/// One segment of L samples: number p of the transform is x[begin + p], zero where there is none, and what
/// comes back at p, p in [Overlap, L), is y[output + p].
template <class T, int L, int Overlap>
struct segment {
  const T* x;
  T* y;
  int samples, outputs, begin, output;

  /// Segment `index` of all signals. One behind the last has neither samples nor outputs.
  __device__ segment(const segmented<T>& all, int index) {
    const int signal = all.segments == all.of_all ? 0 : index / all.segments;
    const int n = (index - signal * all.segments) * (L - Overlap);  // its first output
    const bool exists = index < all.of_all;
    x = all.x + std::int64_t{signal} * all.samples;
    y = all.y + std::int64_t{signal} * all.outputs;
    samples = exists ? all.samples : 0;
    outputs = exists ? all.outputs : 0;
    begin = all.first + n - Overlap;
    output = n - Overlap;
  }
  /// All that it reads is there.
  __device__ bool reads_inside() const { return begin >= 0 && begin + L <= samples; }
  /// All that it gives is wanted.
  __device__ bool writes_inside() const { return output + L <= outputs; }
  /// The sample at place p, or zero.
  __device__ T at(int p) const { return 0 <= begin + p && begin + p < samples ? __ldcs(x + begin + p) : T{}; }
};

/// z[k] = number place + Stride k of the transform: one segment is the real part, the next one the imaginary
/// part. The filter is real, so the two never mix.
template <int Stride, int Count, class C, class Segment>
__device__ __forceinline__ void load_segments(C (&z)[Count], const Segment& a, const Segment& b, int place) {
  if (a.reads_inside() && b.reads_inside()) {
#pragma unroll
    for (int k = 0; k < Count; ++k)
      z[k] = {__ldcs(a.x + a.begin + place + Stride * k), __ldcs(b.x + b.begin + place + Stride * k)};
  } else {
#pragma unroll
    for (int k = 0; k < Count; ++k) z[k] = {a.at(place + Stride * k), b.at(place + Stride * k)};
  }
}

/// The same places back: those from Overlap on are outputs. Overlap is a multiple of Stride.
template <int Stride, int Overlap, int Count, class C, class Segment>
__device__ __forceinline__ void store_segments(const C (&z)[Count], const Segment& a, const Segment& b,
                                               int place) {
  static_assert(Overlap % Stride == 0, "whole rows of numbers are outputs, or are not");
  if (a.writes_inside() && b.writes_inside()) {
#pragma unroll
    for (int k = Overlap / Stride; k < Count; ++k) {
      __stcs(a.y + a.output + place + Stride * k, z[k].x);
      __stcs(b.y + b.output + place + Stride * k, z[k].y);
    }
  } else {
#pragma unroll
    for (int k = Overlap / Stride; k < Count; ++k) {
      const int p = place + Stride * k;
      if (a.output + p < a.outputs) a.y[a.output + p] = z[k].x;
      if (b.output + p < b.outputs) b.y[b.output + p] = z[k].y;
    }
  }
}
// [segment]

}  // namespace tutorial

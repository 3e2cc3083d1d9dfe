// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// How two segments of a signal come into a transform, and what leaves it.
#pragma once

#include <cstdint>

#include "13_one_pass/host/one_pass_tables.hpp"

namespace tutorial {

/// Who else needs what a thread loads.
enum class loads {
  alone,         ///< No one of its block: the L1 cache shall keep the tables in its place.
  by_neighbors,  ///< The next pair of segments, in the same block, the samples that both overlap.
};

/// *from, which no kernel writes.
template <loads Needed, class T>
__device__ __forceinline__ T load_sample(const T* from) {
  T value;
  if constexpr (Needed == loads::by_neighbors)
    value = __ldcs(from);
  else if constexpr (sizeof(T) == 4)
    asm volatile("ld.global.L1::no_allocate.f32 %0, [%1];" : "=f"(value) : "l"(from));
  else
    asm volatile("ld.global.L1::no_allocate.f64 %0, [%1];" : "=d"(value) : "l"(from));
  return value;
}
/// *to = value, past the L1 cache.
template <class T>
__device__ __forceinline__ void store_output(T* to, T value) {
  if constexpr (sizeof(T) == 4)
    asm volatile("st.global.L1::no_allocate.f32 [%0], %1;" ::"l"(to), "f"(value) : "memory");
  else
    asm volatile("st.global.L1::no_allocate.f64 [%0], %1;" ::"l"(to), "d"(value) : "memory");
}

// [segment]
/// One segment of L samples: number p of the transform is x[begin + p], zero where there is none, and what
/// comes back at p, p in [Overlap, L), is y[output + p].
template <class T, int L, int Overlap>
struct segment {
  static constexpr int outputs_of_one = L - Overlap;
  const T* x;
  T* y;
  int samples, outputs, begin, output;

  /// Segment `index` of all signals. A segment after the last has neither samples nor outputs.
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
  /// The next segment is of the same signal, and all samples that both read exist.
  __device__ bool is_inside_with(const segment& next) const {
    return next.x == x && begin >= 0 && next.begin + L <= next.samples;
  }
  /// Likewise, and all outputs of both are wanted.
  __device__ bool writes_inside_with(const segment& next) const {
    return next.y == y && next.output + L <= next.outputs;
  }
  /// The sample at place p, or zero.
  __device__ T at(int p) const { return 0 <= begin + p && begin + p < samples ? x[begin + p] : T{}; }
};

/// z[k] = number place + Stride k of the transform: one segment is the real part, the next one the imaginary
/// part. The filter is real, so the two never mix.
template <int Stride, loads Needed, int Count, class C, class Segment>
__device__ __forceinline__ void load_segments(C (&z)[Count], const Segment& a, const Segment& b, int place) {
  if (a.is_inside_with(b)) {
    constexpr int apart = Segment::outputs_of_one / Stride;  // what both need is loaded once
    const auto* const from = a.x + a.begin + place;
    decltype(z[0].x) x[Count + apart];
#pragma unroll
    for (int k = 0; k < Count + apart; ++k) x[k] = load_sample<Needed>(from + Stride * k);
#pragma unroll
    for (int k = 0; k < Count; ++k) z[k] = {x[k], x[k + apart]};
  } else {
#pragma unroll
    for (int k = 0; k < Count; ++k) z[k] = {a.at(place + Stride * k), b.at(place + Stride * k)};
  }
}

/// Stores the outputs, which begin at place Overlap. Overlap is a multiple of Stride.
template <int Stride, int Overlap, int Count, class C, class Segment>
__device__ __forceinline__ void store_segments(const C (&z)[Count], const Segment& a, const Segment& b,
                                               int place) {
  static_assert(Overlap % Stride == 0 && Segment::outputs_of_one % Stride == 0,
                "whole rows of numbers are outputs, or are not");
  if (a.writes_inside_with(b)) {
    auto* const to = a.y + a.output + place;
#pragma unroll
    for (int k = Overlap / Stride; k < Count; ++k) {
      store_output(to + Stride * k, z[k].x);
      store_output(to + Segment::outputs_of_one + Stride * k, z[k].y);
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

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The stages of a transform that one thread makes alone, on R numbers in its registers.
//
// Forward, the numbers come in natural order and leave in bit-reversed order: the root of a butterfly
// depends on its block. Back, they come in bit-reversed order and leave in natural order: the root depends
// on the place in the block. Both use the same butterfly and the same roots; forward takes their conjugates.
#pragma once

#include "06_register_tiling/vectors.cuh"
#include "13_one_pass/host/one_pass_tables.hpp"
#include "13_one_pass/host/roots.hpp"
#include "common/device/for_each_constant.cuh"

namespace tutorial {

// [butterfly]
/// a, b <- a + w b, a - w b: six fused multiply-adds for any w. The second is 2 a minus the first.
template <class C>
__device__ __forceinline__ void butterfly(C& a, C& b, C w) {
  using T = decltype(w.x);
  const C sum{fma(-w.y, b.y, fma(w.x, b.x, a.x)), fma(w.y, b.x, fma(w.x, b.y, a.y))};
  b = {fma(T(2), a.x, -sum.x), fma(T(2), a.y, -sum.y)};
  a = sum;
}
// [butterfly]

// [constants]
/// exp(2 pi i Turn / 32), known when the kernel is compiled.
template <int Turn>
struct constant_root {};

/// The same with such a root: 1, i, -1 and -i need no multiplication.
template <class C, int Turn>
__device__ __forceinline__ void butterfly(C& a, C& b, constant_root<Turn>) {
  constexpr int turn = Turn & 31;
  using T = decltype(a.x);
  if constexpr (turn % 8 != 0) {
    constexpr T cosine = T(cosine_of_32(turn)), sine = T(cosine_of_32(turn - 8));
    butterfly(a, b, C{cosine, sine});
  } else {
    const C wb = turn == 0 ? b : turn == 8 ? C{-b.y, b.x} : turn == 16 ? C{-b.x, -b.y} : C{b.y, -b.x};
    b = {a.x - wb.x, a.y - wb.y};
    a = {a.x + wb.x, a.y + wb.y};
  }
}
// [constants]

/// i w.
template <class C>
__device__ __forceinline__ C times_i(C w) {
  return {-w.y, w.x};
}
/// i w.
template <int Turn>
__device__ __forceinline__ constant_root<Turn + 8> times_i(constant_root<Turn>) {
  return {};
}

/// The conjugate of w.
template <class C>
__device__ __forceinline__ C conjugate(C w) {
  return {w.x, -w.y};
}
/// The conjugate of w.
template <int Turn>
__device__ __forceinline__ constant_root<-Turn> conjugate(constant_root<Turn>) {
  return {};
}

/// a b, with two fused multiply-adds.
template <class C>
__device__ __forceinline__ C product(C a, C b) {
  return {fma(a.x, b.x, -a.y * b.y), fma(a.x, b.y, a.y * b.x)};
}

/// z[i] *= the filter's number first + i of thread t.
template <int Threads, int Count, class C>
__device__ __forceinline__ void multiply_by_filter(C (&z)[Count], const C* filter, int first, int t) {
#pragma unroll
  for (int i = 0; i < Count; i += 2) {
    const auto* const from = &filter[filter_place<Threads>(first + i, t)].x;
    decltype(C::x) h[4];
    for (int j = 0; j < 4; j += 16 / int(sizeof(h[0]))) load_vector(h + j, from + j);
    z[i] = product(z[i], C{h[0], h[1]}), z[i + 1] = product(z[i + 1], C{h[2], h[3]});
  }
}

// [roots]
/// Where a pass of R numbers gets its roots. Stage s has 2^s of them: root j is
///     exp(2 pi i (turns R / 2^(s + 1) + j / 2^(s + 1))),
/// and the second half of them is the first half times i. In the pass that knows nothing but its own numbers,
/// turns is zero, and all roots are constants.
template <int R>
struct constant_roots {
  /// Root J of the stage.
  template <int Stage, int J>
  __device__ __forceinline__ constant_root<(32 >> (Stage + 1)) * J> get() const {
    return {};
  }
};

/// In the other passes `turns` depends on the thread. Of w = exp(2 pi i turns), the powers 1, 4 and, for 32
/// numbers, 16 come from a table; those between are squares, and the other roots are constants times these.
template <int R, class C>
struct powers_of_root {
  C power[5];  // w, w^2, w^4, w^8, w^16

  /// table[p stride] is w^(4^p).
  __device__ __forceinline__ powers_of_root(const C* table, int stride) {
    for (int p = 0; (1 << 2 * p) < R; ++p) power[2 * p] = __ldg(table + p * stride);
    for (int p = 1; (1 << p) < R; p += 2) power[p] = product(power[p - 1], power[p - 1]);
  }

  /// Root J of the stage; the second half of them is left to the pass.
  template <int Stage, int J>
  __device__ __forceinline__ C get() const {
    using T = decltype(power[0].x);
    constexpr int turn = (32 >> (Stage + 1)) * J;  // of 32
    const C w = power[log2_of(R) - 1 - Stage];
    if constexpr (turn == 0) return w;
    constexpr T cosine = T(cosine_of_32(turn)), sine = T(cosine_of_32(turn - 8));
    return product(w, C{cosine, sine});
  }
};
// [roots]

// [forward]
/// log2(R) stages forward: x[k] in natural order becomes x[k] in bit-reversed order.
template <int R, class C, class Roots>
__device__ __forceinline__ void forward_pass(C (&x)[R], const Roots& roots) {
  for_each_constant<log2_of(R)>([&](auto stage) {
    constexpr int s = decltype(stage)::value, half = R >> (s + 1);  // blocks of 2 half numbers
    for_each_constant<(s == 0 ? 1 : 1 << (s - 1))>([&](auto pair) {
      // Two neighboring blocks: their roots differ by a quarter of a turn.
      constexpr int block = s == 0 ? 0 : 2 * decltype(pair)::value, j = reversed(block, s);
      const auto w = conjugate(roots.template get<s, j>());
#pragma unroll
      for (int k = 0; k < half; ++k) butterfly(x[2 * half * block + k], x[2 * half * block + k + half], w);
      if constexpr (s > 0) {
        const auto next = conjugate(times_i(roots.template get<s, j>()));
#pragma unroll
        for (int k = 0; k < half; ++k)
          butterfly(x[2 * half * (block + 1) + k], x[2 * half * (block + 1) + k + half], next);
      }
    });
  });
}
// [forward]

// [back]
/// The way back: x[k] in bit-reversed order becomes R times x[k] in natural order.
template <int R, class C, class Roots>
__device__ __forceinline__ void inverse_pass(C (&x)[R], const Roots& roots) {
  for_each_constant<log2_of(R)>([&](auto stage) {
    constexpr int s = decltype(stage)::value, half = 1 << s;  // blocks of 2 half numbers
    for_each_constant<(s == 0 ? 1 : half / 2)>([&](auto place) {
      constexpr int j = decltype(place)::value;
      const auto w = roots.template get<s, j>();
#pragma unroll
      for (int k = j; k < R; k += 2 * half) butterfly(x[k], x[k + half], w);
      if constexpr (s > 0) {
        const auto next = times_i(w);
#pragma unroll
        for (int k = j + half / 2; k < R; k += 2 * half) butterfly(x[k], x[k + half], next);
      }
    });
  });
}
// [back]

}  // namespace tutorial

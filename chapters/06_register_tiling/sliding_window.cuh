// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Consecutive outputs per thread, from a tile in shared memory: what the kernels with few and with many taps
// share.
#pragma once

#include "common/device/ceil_div.hpp"
#include "vectors.cuh"

namespace tutorial {

/// Each thread computes seven vectors of outputs: 28 numbers of 4 bytes or 14 of 8. Seven is odd: the 16-byte
/// words that neighboring threads access in shared memory are then seven apart, and eight neighbors hit all
/// 32 banks once.
inline constexpr int vectors_per_thread = 7;

template <class T>
inline constexpr int outputs_per_thread = (vectors_per_thread * vector_size<T>);

/// Taps per round when `taps` are shared out evenly to as few rounds of `most` as possible: whole times
/// around the window (the number of outputs and one vector), so that only the last round has a rest.
template <class T>
constexpr int taps_per_round(int taps, int most) {
  constexpr int around = outputs_per_thread<T> + vector_size<T>;
  const int rounds = ceil_div(taps, most);
  return ceil_div(ceil_div(taps, rounds), around) * around;
}

/// tile[j] = x[begin + j] for j in [0, halo + blockDim.x * outputs_per_thread), zero where there is no
/// sample. All threads of the block take part. halo is a multiple of vector_size<T>; x + begin, if it lay in
/// x, would be aligned.
template <class T>
__device__ __forceinline__ void load_tile(T* tile, int halo, const T* __restrict__ x, int samples,
                                          int begin) {
  constexpr int width = vector_size<T>;
  const int own = threadIdx.x * width, stride = blockDim.x * width;
  if (0 <= begin && begin + halo + vectors_per_thread * stride <= samples) {
    // All loads are under way before the first one is waited for.
    vector_of<T> v[vectors_per_thread];
#pragma unroll
    for (int i = 0; i < vectors_per_thread; ++i) v[i] = get_vector(x + begin + halo + i * stride + own);
#pragma unroll 1  // threads take different numbers of turns: unrolled, one request would become several
    for (int j = own; j < halo; j += stride) put_vector(tile + j, get_vector(x + begin + j));
#pragma unroll
    for (int i = 0; i < vectors_per_thread; ++i) put_vector(tile + halo + i * stride + own, v[i]);
  } else {
    const auto sample = [&](int j) { return 0 <= begin + j && begin + j < samples ? x[begin + j] : T{}; };
#pragma unroll 1
    for (int j = threadIdx.x; j < halo; j += blockDim.x) tile[j] = sample(j);
#pragma unroll 7  // so many loads under way at a time
    for (int r = 0; r < outputs_per_thread<T>; ++r) {
      const int j = halo + r * blockDim.x + threadIdx.x;
      tile[j] = sample(j);
    }
  }
}

// clang-format off
// [window]
/// sum[r] += h[k] x[r - k] for all outputs r, where x[m] is in window[m mod Count] and tap is h[k].
template <class T, int Outputs, int Count>
__device__ __forceinline__ void add_tap(T (&sum)[Outputs], const T (&window)[Count], T tap, int k) {
#pragma unroll
  for (int r = 0; r < Outputs; ++r) sum[r] += tap * window[((r - k) % Count + Count) % Count];
}

/// window[r] = x[r] for all outputs r.
template <int Outputs, class T, int Count>
__device__ __forceinline__ void fill(T (&window)[Count], const T* x) {
#pragma unroll
  for (int r = 0; r < Outputs; r += vector_size<T>) load_vector(window + r, x + r);
}

/// sum[r] += sum over k in [0, Count) of h[k] x[r - k], where window[r] = x[r] on entry, and x[r - Count] on
/// return: Count is Outputs + vector_size<T>, so that the window has gone around once. x is aligned. With
/// Checked, it stops before a vector of taps of which some are beyond `taps`.
template <bool Checked, class T, int Outputs, int Count, class Tap>
__device__ __forceinline__ void slide_around(T (&sum)[Outputs], T (&window)[Count], const T* x, Tap h,
                                             int taps) {
  constexpr int width = vector_size<T>;
#pragma unroll
  for (int k = 0; k < Count; k += width) {
    if (Checked && k + width > taps) break;
    // A new vector takes the place of the one that no output needs anymore.
    load_vector(window + (Count - width - k), x - k - width);
    T tap[width];
    h.load(tap, k);
#pragma unroll
    for (int e = 0; e < width; ++e) add_tap(sum, window, tap[e], k + e);
  }
}

/// sum[r] += sum over k in [0, taps) of h[k] x[r - k], where x[-whole_vectors(taps), Outputs) is in shared
/// memory, and x is aligned. One load of a vector of samples and one of a vector of taps serve
/// vector_size<T> * Outputs products.
template <class T, int Outputs, class Tap>
__device__ __forceinline__ void add_products(T (&sum)[Outputs], const T* x, Tap h, int taps) {
  constexpr int width = vector_size<T>, around = Outputs + width;
  T window[around];
  fill<Outputs>(window, x);
  int k = 0;
  for (; k + around <= taps; k += around) slide_around<false>(sum, window, x - k, h.from(k), around);
  slide_around<true>(sum, window, x - k, h.from(k), taps - k);

  // Fewer taps than a vector are left. The window may have stopped anywhere, so it is filled once more.
  k = taps / width * width;
  if (k == taps) return;
  fill<Outputs>(window, x - k);
  h = h.from(k);
  if (taps - k > 1) load_vector(window + Outputs, x - k - width);
#pragma unroll
  for (int e = 0; e < width - 1; ++e)
    if (k + e < taps) add_tap(sum, window, h.at(e), e);
}
// [window]
// clang-format on

/// Taps in shared memory: h is aligned and padded to whole vectors.
template <class T>
struct shared_taps {
  const T* h;
  /// The filter from tap k on; k is a multiple of vector_size<T>.
  __device__ shared_taps from(int k) const { return {h + k}; }
  /// h[k].
  __device__ T at(int k) const { return h[k]; }
  /// to[0, vector_size<T>) = h[k, k + vector_size<T>).
  __device__ void load(T* to, int k) const { load_vector(to, h + k); }
};

/// Taps in constant memory, the same for all lanes of a warp.
template <class T>
struct uniform_taps {
  const T* h;
  /// The filter from tap k on.
  __device__ uniform_taps from(int k) const { return {h + k}; }
  /// h[k].
  __device__ T at(int k) const { return h[k]; }
  /// to[0, vector_size<T>) = h[k, k + vector_size<T>).
  __device__ void load(T* to, int k) const {
#pragma unroll
    for (int e = 0; e < vector_size<T>; ++e) to[e] = h[k + e];
  }
};

/// y[begin + i] = the block's outputs in order, thread t's `sum` first output being t * Outputs; only those
/// with an index in [0, outputs). They change places in `tile`, so that neighboring threads write neighbors.
/// Adds to y instead where `add`.
template <class T, int Outputs>
__device__ __forceinline__ void store_outputs(T* tile, const T (&sum)[Outputs], T* __restrict__ y,
                                              int outputs, int begin, bool aligned, bool add) {
  constexpr int width = vector_size<T>;
  const int threads = blockDim.x, count = threads * Outputs;
  __syncthreads();  // all have read the samples in the tile before outputs replace them
#pragma unroll
  for (int r = 0; r < Outputs; r += width) store_vector(tile + threadIdx.x * Outputs + r, sum + r);
  __syncthreads();  // the outputs are written by all before any thread reads its neighbors'
  const bool whole = 0 <= begin && begin + count <= outputs;
  if (whole && aligned && !add) {
#pragma unroll
    for (int r = 0; r < Outputs; r += width) {
      const int j = r * threads + threadIdx.x * width;
      put_vector(y + begin + j, get_vector(tile + j));
    }
  } else if (whole && !add) {
#pragma unroll
    for (int r = 0; r < Outputs; ++r) y[begin + r * threads + threadIdx.x] = tile[r * threads + threadIdx.x];
  } else {
    for (int j = threadIdx.x; j < count; j += threads) {
      const int i = begin + j;
      if (0 <= i && i < outputs) y[i] = add ? y[i] + tile[j] : tile[j];
    }
  }
}

}  // namespace tutorial

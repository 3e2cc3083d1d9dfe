// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// One vector of 16 bytes per thread: four outputs (two of double), computed from a window of samples in registers that
/// arrives as a few whole vectors. Neighbors load the same vectors again, and find them in the cache.
#include <array>
#include <stdexcept>
#include <string>
#include <utility>

#include "common/check.hpp"
#include "convolve_register_tiled.hpp"
#include "kernel_facts.cuh"
#include "vectors.cuh"

namespace tutorial {
namespace {

constexpr int threads_per_block = 128;

/// window[j] = window[j + By] for all j that have one.
template <int By, class T, int Size>
__device__ __forceinline__ void move_down(T (&window)[Size]) {
#pragma unroll
  for (int j = 0; j + By < Size; ++j) window[j] = window[j + By];
}

// clang-format off
// [kernel]
/// y[n] = sum over k of h[k] x[n - k], one aligned vector of y per thread.
template <class T, int Taps>
__global__ void __launch_bounds__(threads_per_block) convolve_vectors_kernel(
    const T* __restrict__ x, int samples,  // x[0, samples)
    const T* __restrict__ h,               // h[0, Taps)
    T* __restrict__ y, int outputs,        // y[0, outputs); y - head is aligned
    int first, int head, int shift) {      // x + first - head - (Taps - 1) - shift is aligned
  constexpr int width = vector_size<T>;
  constexpr int vectors = (Taps - 1 + width + (width - 1) + (width - 1)) / width;  // for the largest shift
  const int i = (blockIdx.x * blockDim.x + threadIdx.x) * width - head;  // y + i is aligned
  if (i >= outputs) return;

  T window[vectors * width];  // window[j] = x[begin + j]
  const int begin = first + i - (Taps - 1) - shift;
  if (0 <= begin && begin + vectors * width <= samples) {
#pragma unroll
    for (int j = 0; j < vectors * width; j += width) load_vector(window + j, x + begin + j);
  } else {  // at the ends of x: ghosts are zero
#pragma unroll
    for (int j = 0; j < vectors * width; ++j) {
      const int m = begin + j;
      window[j] = 0 <= m && m < samples ? x[m] : T{};
    }
  }
  // All threads have the same shift: these are moves, not branches that part the warp.
  if (shift & 1) move_down<1>(window);
  if (shift & 2) move_down<2>(window);

  T sum[width] = {};
#pragma unroll
  for (int k = 0; k < Taps; ++k) {
    const T tap = h[k];
#pragma unroll
    for (int r = 0; r < width; ++r) sum[r] += tap * window[Taps - 1 + r - k];
  }
  if (0 <= i && i + width <= outputs) {
    store_vector(y + i, sum);
  } else {  // the vectors at the ends of y are not all ours
#pragma unroll
    for (int r = 0; r < width; ++r)
      if (0 <= i + r && i + r < outputs) y[i + r] = sum[r];
  }
}
// [kernel]
// clang-format on

template <class T>
using vectors_kernel = void (*)(const T*, int, const T*, T*, int, int, int, int);

/// The number of taps is a constant of the program, so there is one kernel for each: [taps - 1].
template <class T>
const auto vectors_kernels = []<int... I>(std::integer_sequence<int, I...>) {
  return std::array<vectors_kernel<T>, sizeof...(I)>{convolve_vectors_kernel<T, I + 1>...};
}
(std::make_integer_sequence<int, vectors_max_taps>{});

}  // namespace

// [wrapper]
template <class T>
void convolve_vectors(device_span<const T> x, device_span<const T> h, device_span<T> y,
                      convolution_mode mode) {
  require_output_length(x.size(), h.size(), y.size(), mode);
  using W = wrapping<T>;
  constexpr int width = vector_size<W>, outputs_per_block = threads_per_block * width;
  require_int_indices(x.size(), h.size(), outputs_per_block);
  if (h.size() > std::size_t(vectors_max_taps))
    throw std::invalid_argument("convolve_vectors: at most " + std::to_string(vectors_max_taps) + " taps");
  const int samples = static_cast<int>(x.size()), taps = static_cast<int>(h.size());
  const int outputs = static_cast<int>(y.size());
  const int first = static_cast<int>(first_output(x.size(), h.size(), mode));
  const int head = elements_past_boundary(y.data());
  // Unsigned: a difference below zero still has the right remainder.
  const unsigned past = unsigned(elements_past_boundary(x.data()) + first - head - (taps - 1));
  const int shift = static_cast<int>(past % width);
  const int blocks =
      static_cast<int>((std::int64_t{outputs} + head + outputs_per_block - 1) / outputs_per_block);
  vectors_kernels<W>[taps - 1]<<<blocks, threads_per_block>>>(wrapping_data(x), samples, wrapping_data(h),
                                                              wrapping_data(y), outputs, first, head, shift);
  check(cudaGetLastError());
}
// [wrapper]

TUTORIAL_INSTANTIATE_CONVOLUTION(convolve_vectors);

template <class T>
kernel_facts detail::vectors_facts(int taps) {
  return facts_of(vectors_kernels<wrapping<T>>.at(std::size_t(taps - 1)),
                  "vectors, " + std::to_string(taps) + " taps", threads_per_block, 0);
}
template kernel_facts detail::vectors_facts<std::int32_t>(int);
template kernel_facts detail::vectors_facts<float>(int);
template kernel_facts detail::vectors_facts<double>(int);

}  // namespace tutorial

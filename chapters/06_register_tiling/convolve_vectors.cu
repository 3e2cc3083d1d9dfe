// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// One vector of 16 bytes per thread: four outputs (two of double), computed from a window of samples in
// registers that arrives as a few whole vectors. Neighbors load the same vectors again, and find them in the
// cache.
#include <array>
#include <stdexcept>
#include <string>
#include <utility>

#include "common/device/ceil_div.hpp"
#include "common/device/check.hpp"
#include "convolve_register_tiled.hpp"
#include "vectors.cuh"

namespace tutorial {
namespace {

constexpr int threads_per_block = 128;

// clang-format off
// [kernel]
/// y[n] = sum over k of h[k] x[n - k], one aligned vector of y per thread. Its first output needs no sample
/// before window[0] and none behind window[Reach]: Reach is taps - 1, and up to width - 1 more where x and y
/// are aligned differently, so that the window, too, begins at an aligned vector.
template <class T, int Reach>
__global__ void __launch_bounds__(threads_per_block) convolve_vectors_kernel(
    const T* __restrict__ x, int samples,  // x[0, samples); x + first - head - Reach is aligned
    const T* __restrict__ h, int taps,     // h[0, taps), Reach - width + 1 < taps <= Reach + 1
    T* __restrict__ y, int outputs,        // y[0, outputs); y - head is aligned
    int first, int head) {                 // y[0] is output `first` of full
  constexpr int width = vector_size<T>, size = whole_vectors<T>(Reach + width);
  const int i = (blockIdx.x * blockDim.x + threadIdx.x) * width - head;  // y + i is aligned
  if (i >= outputs) return;

  T window[size];  // window[j] = x[begin + j]
  const int begin = first + i - Reach;
  if (0 <= begin && begin + size <= samples) {
#pragma unroll
    for (int j = 0; j < size; j += width) load_vector(window + j, x + begin + j);
  } else {  // at the ends of x: ghosts are zero
#pragma unroll
    for (int j = 0; j < Reach + width; ++j) {
      const int m = begin + j;
      window[j] = 0 <= m && m < samples ? x[m] : T{};
    }
  }

  T sum[width] = {};
#pragma unroll
  for (int k = 0; k <= Reach; ++k) {
    if (k > Reach - width + 1 && k >= taps) break;  // only the last few are in question
    const T tap = h[k];
#pragma unroll
    for (int r = 0; r < width; ++r) sum[r] += tap * window[Reach + r - k];
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
using vectors_kernel = void (*)(const T*, int, const T*, int, T*, int, int, int);

/// The size of the window is a constant of the program, so there is one kernel for each Reach.
template <class T>
const auto vectors_kernels = []<int... Reach>(std::integer_sequence<int, Reach...>) {
  return std::array<vectors_kernel<T>, sizeof...(Reach)>{convolve_vectors_kernel<T, Reach>...};
}
(std::make_integer_sequence<int, vectors_max_taps<T> + vector_size<T> - 1>{});

}  // namespace

// [wrapper]
template <class T>
void convolve_vectors(device_span<const T> x, device_span<const T> h, device_span<T> y, convolution_mode mode,
                      cudaStream_t stream) {
  using W = wrapping<T>;
  constexpr int width = vector_size<W>, outputs_per_block = threads_per_block * width;
  const auto [samples, taps, outputs, first] =
      checked_int_sizes(x.size(), h.size(), y.size(), mode, outputs_per_block);
  if (h.size() > std::size_t(vectors_max_taps<T>))
    throw std::invalid_argument("convolve_vectors: at most " + std::to_string(vectors_max_taps<T>) + " taps");
  const int head = elements_past_boundary(y.data());
  // How far behind a boundary the window would begin, were it not longer than the filter needs. Unsigned: a
  // difference below zero still has the right remainder.
  const unsigned past = unsigned(elements_past_boundary(x.data()) + first - head - (taps - 1));
  const int reach = taps - 1 + static_cast<int>(past % width);
  const int blocks = ceil_div(outputs + head, outputs_per_block);
  vectors_kernels<W>[reach]<<<blocks, threads_per_block, 0, stream>>>(
      wrapping_data(x), samples, wrapping_data(h), taps, wrapping_data(y), outputs, first, head);
  check(cudaGetLastError());
}
// [wrapper]

TUTORIAL_INSTANTIATE_CONVOLUTION(convolve_vectors, cudaStream_t);

template <class T>
kernel_facts detail::vectors_facts(int taps) {
  return facts_of(vectors_kernels<wrapping<T>>.at(std::size_t(taps - 1)), threads_per_block, 0,
                  "vectors, " + std::to_string(taps) + " taps");
}
template kernel_facts detail::vectors_facts<std::int32_t>(int);
template kernel_facts detail::vectors_facts<float>(int);
template kernel_facts detail::vectors_facts<double>(int);

}  // namespace tutorial

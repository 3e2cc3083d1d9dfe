// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Blocks of one warp that stay and take tile after tile: while a tile is computed, the next one is on its
// way from global memory into registers.
#include <algorithm>
#include <stdexcept>
#include <string>

#include "04_constant_memory/tap_storage.cuh"
#include "common/device/ceil_div.hpp"
#include "common/device/check.hpp"
#include "common/device/kernel_facts.hpp"
#include "convolve_register_tiled.hpp"
#include "sliding_window.cuh"

namespace tutorial {
namespace {

constexpr int threads_per_block = 32;

template <class T>
constexpr int outputs_per_block = (threads_per_block * outputs_per_thread<T>);

// clang-format off
// [prefetch]
/// A tile on its way: x[begin, begin + halo + outputs_per_block) in the registers of the block's threads.
template <class T>
struct tile_in_flight {
  static constexpr int width = vector_size<T>, stride = threads_per_block * width;
  vector_of<T> own[vectors_per_thread], ahead;

  /// Begins to load it. x + begin, if it lay in x, would be aligned. halo is at most one vector per thread.
  __device__ __forceinline__ void fetch(const T* __restrict__ x, int samples, int begin, int halo) {
    const bool inside = 0 <= begin && begin + halo + outputs_per_block<T> <= samples;
    const int j = threadIdx.x * width;
#pragma unroll
    for (int i = 0; i < vectors_per_thread; ++i)
      own[i] = samples_at(x, samples, begin + halo + i * stride + j, inside);
    if (j < halo) ahead = samples_at(x, samples, begin + j, inside);
  }
  /// Waits for it, and writes it to shared memory.
  __device__ __forceinline__ void put(T* tile, int halo) const {
    const int j = threadIdx.x * width;
#pragma unroll
    for (int i = 0; i < vectors_per_thread; ++i) put_vector(tile + halo + i * stride + j, own[i]);
    if (j < halo) put_vector(tile + j, ahead);
  }

 private:
  /// x[m, m + width), zero where there is no sample.
  __device__ __forceinline__ static vector_of<T> samples_at(const T* __restrict__ x, int samples, int m,
                                                            bool inside) {
    if (inside) return get_vector(x + m);
    const auto sample = [&](int i) { return 0 <= i && i < samples ? x[i] : T{}; };
    if constexpr (width == 4)
      return {sample(m), sample(m + 1), sample(m + 2), sample(m + 3)};
    else
      return {sample(m), sample(m + 1)};
  }
};
// [prefetch]

// [kernel]
/// y[n] = sum over k of h[k] x[n - k], outputs_per_thread neighboring outputs per thread; h[k] is in constant
/// memory. Block b computes the tiles b, b + gridDim.x, b + 2 gridDim.x, ... A multiprocessor is to hold 16
/// blocks at a time: that leaves 128 registers per thread, and nothing is spilled.
template <class T>
__global__ void __launch_bounds__(threads_per_block, 16) convolve_prefetched_kernel(
    const T* __restrict__ x, int samples,  // x[0, samples)
    int taps,                              // h[0, taps)
    T* __restrict__ y, int outputs,        // y[0, outputs); y - head is aligned where y_aligned
    int first, int head, bool y_aligned,   // y[0] is output `first` of full; x + first - head is aligned
    int tiles) {
  extern __shared__ __align__(16) unsigned char memory[];
  T* const tile = reinterpret_cast<T*>(memory);  // samples: halo, then one for each output
  const T* const h = constant_taps<T>();
  const int halo = whole_vectors<T>(taps);
  const auto begin = [&](int t) { return t * outputs_per_block<T> - head; };  // the tile's first output

  tile_in_flight<T> next;
  next.fetch(x, samples, first + begin(blockIdx.x) - halo, halo);
  for (int t = blockIdx.x; t < tiles; t += gridDim.x) {
    next.put(tile, halo);
    __syncthreads();  // the tile is written by all before any thread reads its window
    const int after = t + gridDim.x;
    if (after < tiles) next.fetch(x, samples, first + begin(after) - halo, halo);
    T sum[outputs_per_thread<T>] = {};
    add_products(sum, tile + halo + threadIdx.x * outputs_per_thread<T>, uniform_taps<T>{h}, taps);
    store_outputs(tile, sum, y, outputs, begin(t), y_aligned, false);
    __syncthreads();  // all have read the outputs in the tile before the next samples replace them
  }
}
// [kernel]
// clang-format on

/// For the halo and the samples of the outputs.
template <class T>
int shared_bytes(int taps) {
  return static_cast<int>(sizeof(T)) * (whole_vectors<T>(taps) + outputs_per_block<T>);
}

}  // namespace

// [wrapper]
template <class T>
void convolve_prefetched(device_span<const T> x, device_span<const T> h, device_span<T> y,
                         convolution_mode mode, cudaStream_t stream, int most_blocks) {
  using W = wrapping<T>;
  constexpr int block = outputs_per_block<W>;
  const auto [samples, taps, outputs, first] = checked_int_sizes(x.size(), h.size(), y.size(), mode, block);
  static_assert(prefetched_max_taps<T> == threads_per_block * vector_size<W>);  // a vector of halo per thread
  if (h.size() > std::size_t(prefetched_max_taps<T>))
    throw std::invalid_argument("convolve_prefetched: at most " + std::to_string(prefetched_max_taps<T>) +
                                " taps");
  const int head = (elements_past_boundary(x.data()) + first % vector_size<W>) % vector_size<W>;
  const bool y_aligned = elements_past_boundary(y.data()) == head;
  const int tiles = ceil_div(outputs + head, block);
  const int bytes = shared_bytes<W>(taps);
  const int blocks =
      std::min({tiles, most_blocks,
                resident_blocks(convolve_prefetched_kernel<W>, threads_per_block, std::size_t(bytes))});
  copy_to_constant_memory(h, stream);
  convolve_prefetched_kernel<<<blocks, threads_per_block, bytes, stream>>>(
      wrapping_data(x), samples, taps, wrapping_data(y), outputs, first, head, y_aligned, tiles);
  check(cudaGetLastError());
}
// [wrapper]

template void convolve_prefetched<std::int32_t>(device_span<const std::int32_t>,
                                                device_span<const std::int32_t>, device_span<std::int32_t>,
                                                convolution_mode, cudaStream_t, int);
template void convolve_prefetched<float>(device_span<const float>, device_span<const float>,
                                         device_span<float>, convolution_mode, cudaStream_t, int);
template void convolve_prefetched<double>(device_span<const double>, device_span<const double>,
                                          device_span<double>, convolution_mode, cudaStream_t, int);

template <class T>
kernel_facts detail::prefetched_facts() {
  return facts_of(convolve_prefetched_kernel<wrapping<T>>, threads_per_block, shared_bytes<wrapping<T>>(64),
                  "prefetched");
}
template kernel_facts detail::prefetched_facts<std::int32_t>();
template kernel_facts detail::prefetched_facts<float>();
template kernel_facts detail::prefetched_facts<double>();

}  // namespace tutorial

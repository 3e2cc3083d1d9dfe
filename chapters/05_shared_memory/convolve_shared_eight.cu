// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Eight outputs per thread, three times the same work: with the lanes of a warp eight elements apart in
// shared memory, which meet in the same banks; with padding, which spreads them; and side by side.
#include <stdexcept>

#include "04_constant_memory/tap_storage.cuh"
#include "common/device/ceil_div.hpp"
#include "convolve_shared.hpp"

namespace tutorial {
namespace {

constexpr int threads_per_block = 128;
constexpr int outputs_per_thread = 8;
constexpr int outputs_per_block = threads_per_block * outputs_per_thread;

// [place]
/// Where sample j of the tile lies. Padded: one element stays unused after every eight, so that lanes which
/// are eight samples apart are nine elements apart, an odd number: no two share a bank. (Unsigned: a
/// division of int by eight would round negative numbers up, and costs three instructions instead of one.)
template <tile_layout Layout>
__host__ __device__ constexpr int place(unsigned j) {
  return Layout == tile_layout::neighbors_padded ? j + j / outputs_per_thread : j;
}

/// Which of the block's outputs is the thread's r-th.
template <tile_layout Layout>
__device__ int owned(int thread, int r) {
  return Layout == tile_layout::side_by_side ? r * threads_per_block + thread
                                             : thread * outputs_per_thread + r;
}
// [place]

// clang-format off
// [kernel]
/// y[n] = sum over k of h[k] x[n - k], eight outputs per thread.
template <class T, tile_layout Layout>
__global__ void convolve_shared_eight_kernel(
    const T* __restrict__ x, int samples,  // x[0, samples)
    int taps,                              // h[0, taps) in constant memory
    T* __restrict__ y, int outputs,        // y[0, outputs)
    int first) {                           // y[0] is output `first` of full
  extern __shared__ __align__(16) unsigned char shared_bytes[];
  T* const tile = reinterpret_cast<T*>(shared_bytes);
  const int halo = taps - 1, block_begin = blockIdx.x * outputs_per_block;
  const int tile_begin = first + block_begin - halo;

  // tile[place(j)] == x[tile_begin + j], and zero where there is no such sample
#pragma unroll 1  // the last turn is not for all lanes: unrolled, a GPU counts more requests
  for (int j = threadIdx.x; j < outputs_per_block + halo; j += threads_per_block) {
    const int m = tile_begin + j;
    tile[place<Layout>(j)] = 0 <= m && m < samples ? x[m] : T{};
  }
  __syncthreads();  // the tile is written by all threads before any thread reads it

  const T* const h = constant_taps<T>();
  for (int r = 0; r < outputs_per_thread; ++r) {
    const int i = block_begin + owned<Layout>(threadIdx.x, r);
    if (i >= outputs) return;
    const int n = first + i;  // index within full
    T sum{};
    for (int k = 0; k < taps; ++k) sum += h[k] * tile[place<Layout>(n - k - tile_begin)];
    y[i] = sum;
  }
}
// [kernel]
// clang-format on

template <tile_layout Layout, class T>
void launch(device_span<const T> x, device_span<T> y, const int_sizes& sizes, cudaStream_t stream) {
  const auto [samples, taps, outputs, first] = sizes;
  const int blocks = ceil_div(outputs, outputs_per_block);
  const std::size_t tile_bytes =
      (static_cast<std::size_t>(place<Layout>(outputs_per_block + taps - 2)) + 1) * sizeof(T);
  convolve_shared_eight_kernel<wrapping<T>, Layout><<<blocks, threads_per_block, tile_bytes, stream>>>(
      wrapping_data(x), samples, taps, wrapping_data(y), outputs, first);
  check(cudaGetLastError());
}

}  // namespace

template <class T>
void convolve_shared_eight(device_span<const T> x, device_span<const T> h, device_span<T> y,
                           convolution_mode mode, tile_layout layout, cudaStream_t stream) {
  const int_sizes sizes = checked_int_sizes(x.size(), h.size(), y.size(), mode, 2 * outputs_per_block);
  if (h.size() > most_shared_eight_taps<T>())
    throw std::invalid_argument("convolve_shared_eight: more taps than fit beside its tile");
  copy_to_constant_memory(h, stream);
  switch (layout) {
    case tile_layout::neighbors:
      return launch<tile_layout::neighbors>(x, y, sizes, stream);
    case tile_layout::neighbors_padded:
      return launch<tile_layout::neighbors_padded>(x, y, sizes, stream);
    case tile_layout::side_by_side:
      return launch<tile_layout::side_by_side>(x, y, sizes, stream);
  }
}

template void convolve_shared_eight<std::int32_t>(device_span<const std::int32_t>,
                                                  device_span<const std::int32_t>, device_span<std::int32_t>,
                                                  convolution_mode, tile_layout, cudaStream_t);
template void convolve_shared_eight<float>(device_span<const float>, device_span<const float>,
                                           device_span<float>, convolution_mode, tile_layout, cudaStream_t);
template void convolve_shared_eight<double>(device_span<const double>, device_span<const double>,
                                            device_span<double>, convolution_mode, tile_layout, cudaStream_t);

}  // namespace tutorial

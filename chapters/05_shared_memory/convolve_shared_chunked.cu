// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Samples and taps both in shared memory, a chunk of the filter at a time. Any number of taps needs no more
// shared memory than a chunk does; the price is a second barrier, and halos that are loaded for every chunk.
#include "common/device/ceil_div.hpp"
#include "common/device/check.hpp"
#include "convolve_shared.hpp"

namespace tutorial {
namespace {

constexpr int threads_per_block = shared_tile;
constexpr int chunk = 256;  // taps

// clang-format off
// [kernel]
/// y[n] = sum over k of h[k] x[n - k], one thread per output, `chunk` taps at a time.
template <class T>
__global__ void convolve_shared_chunked_kernel(
    const T* __restrict__ x, int samples,  // x[0, samples)
    const T* __restrict__ h, int taps,     // h[0, taps)
    T* __restrict__ y, int outputs,        // y[0, outputs)
    int first) {                           // y[0] is output `first` of full
  __shared__ T tile[threads_per_block + chunk - 1], chunk_h[chunk];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int n = first + i;  // index within full
  T sum{};
  for (int k_begin = 0; k_begin < taps; k_begin += chunk) {
    const int chunk_taps = min(chunk, taps - k_begin);
    const int halo = chunk_taps - 1, tile_size = threads_per_block + halo;
    const int tile_begin = first + blockIdx.x * blockDim.x - k_begin - halo;

    // tile[j] == x[tile_begin + j], and zero where there is no such sample; chunk_h[k] == h[k_begin + k]
    for (int j = threadIdx.x; j < tile_size; j += threads_per_block) {
      const int m = tile_begin + j;
      tile[j] = 0 <= m && m < samples ? x[m] : T{};
    }
    for (int k = threadIdx.x; k < chunk_taps; k += threads_per_block) chunk_h[k] = h[k_begin + k];
    __syncthreads();  // this chunk is written before anyone reads it

    for (int k = 0; k < chunk_taps; ++k) sum += chunk_h[k] * tile[n - (k_begin + k) - tile_begin];
    __syncthreads();  // everyone has read this chunk before anyone writes the next one over it
  }
  if (i < outputs) y[i] = sum;
}
// [kernel]
// clang-format on

}  // namespace

template <class T>
void convolve_shared_chunked(device_span<const T> x, device_span<const T> h, device_span<T> y,
                             convolution_mode mode, cudaStream_t stream) {
  const auto [samples, taps, outputs, first] =
      checked_int_sizes(x.size(), h.size(), y.size(), mode, threads_per_block + chunk);
  const int blocks = ceil_div(outputs, threads_per_block);
  convolve_shared_chunked_kernel<<<blocks, threads_per_block, 0, stream>>>(
      wrapping_data(x), samples, wrapping_data(h), taps, wrapping_data(y), outputs, first);
  check(cudaGetLastError());
}

TUTORIAL_INSTANTIATE_CONVOLUTION(convolve_shared_chunked, cudaStream_t);

}  // namespace tutorial

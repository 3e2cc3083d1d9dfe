// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// 28 consecutive outputs per thread (14 of double): a sample that has come from shared memory into a
// register is used for all of them, and so is a tap.
#include "common/device/ceil_div.hpp"
#include "common/device/check.hpp"
#include "convolve_register_tiled.hpp"
#include "sliding_window.cuh"

namespace tutorial {
namespace {

constexpr int threads_per_block = 64;
constexpr int most_taps_per_round = 480;

template <class T>
constexpr int outputs_per_block = (threads_per_block * outputs_per_thread<T>);

// clang-format off
// [kernel]
/// y[n] = sum over k of h[k] x[n - k], outputs_per_thread neighboring outputs per thread.
template <class T>
__global__ void __launch_bounds__(threads_per_block) convolve_register_blocked_kernel(
    const T* __restrict__ x, int samples,  // x[0, samples)
    const T* __restrict__ h, int taps,     // h[0, taps)
    T* __restrict__ y, int outputs,        // y[0, outputs); y - head is aligned where y_aligned
    int first, int head, bool y_aligned,   // y[0] is output `first` of full; x + first - head is aligned
    int taps_per_round) {
  constexpr int block = outputs_per_block<T>;
  extern __shared__ __align__(16) unsigned char memory[];
  // The tile is first, so that nvcc sees how it is aligned: otherwise a store of 16 bytes becomes four of 4.
  T* const tile = reinterpret_cast<T*>(memory);       // samples: halo, then one for each output
  T* const tap_tile = tile + taps_per_round + block;  // taps of this round
  const int begin = blockIdx.x * block - head;        // the block's first output
  T sum[outputs_per_thread<T>] = {};
  for (int k = 0; k < taps; k += taps_per_round) {
    const int round = min(taps_per_round, taps - k), halo = whole_vectors<T>(round);
    if (k > 0) __syncthreads();  // all have read the previous samples and taps before new ones replace them
#pragma unroll 1  // as in load_tile()
    for (int j = threadIdx.x; j < halo; j += threads_per_block) tap_tile[j] = j < round ? h[k + j] : T{};
    load_tile(tile, halo, x, samples, first + begin - k - halo);
    __syncthreads();  // both tiles are written by all before any thread reads them
    const T* const own = tile + halo + threadIdx.x * outputs_per_thread<T>;
    add_products(sum, own, shared_taps<T>{tap_tile}, round);
  }
  store_outputs(tile, sum, y, outputs, begin, y_aligned, false);
}
// [kernel]
// clang-format on

/// For the taps of a round, their halo and the samples of the outputs.
template <class T>
int shared_bytes(int taps) {
  return static_cast<int>(sizeof(T)) *
         (2 * taps_per_round<T>(taps, most_taps_per_round) + outputs_per_block<T>);
}

}  // namespace

// [wrapper]
template <class T>
void convolve_register_blocked(device_span<const T> x, device_span<const T> h, device_span<T> y,
                               convolution_mode mode, cudaStream_t stream) {
  using W = wrapping<T>;
  constexpr int block = outputs_per_block<W>;
  const auto [samples, taps, outputs, first] = checked_int_sizes(x.size(), h.size(), y.size(), mode, block);
  const int head = (elements_past_boundary(x.data()) + first % vector_size<W>) % vector_size<W>;
  const bool y_aligned = elements_past_boundary(y.data()) == head;
  const int blocks = ceil_div(outputs + head, block);
  convolve_register_blocked_kernel<<<blocks, threads_per_block, shared_bytes<W>(taps), stream>>>(
      wrapping_data(x), samples, wrapping_data(h), taps, wrapping_data(y), outputs, first, head, y_aligned,
      taps_per_round<W>(taps, most_taps_per_round));
  check(cudaGetLastError());
}
// [wrapper]

TUTORIAL_INSTANTIATE_CONVOLUTION(convolve_register_blocked, cudaStream_t);

template <class T>
kernel_facts detail::register_blocked_facts() {
  return facts_of(convolve_register_blocked_kernel<wrapping<T>>, threads_per_block,
                  shared_bytes<wrapping<T>>(65), "register_blocked");
}
template kernel_facts detail::register_blocked_facts<std::int32_t>();
template kernel_facts detail::register_blocked_facts<float>();
template kernel_facts detail::register_blocked_facts<double>();

}  // namespace tutorial

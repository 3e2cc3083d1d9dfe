// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The same outputs per thread, with the taps in constant memory: all lanes of a warp need the same tap, so
// that one load for the warp, where the device has such loads, serves all its products.
#include <algorithm>

#include "04_constant_memory/tap_storage.cuh"
#include "common/device/ceil_div.hpp"
#include "common/device/check.hpp"
#include "convolve_register_tiled.hpp"
#include "sliding_window.cuh"

namespace tutorial {
namespace {

constexpr int threads_per_block = 128;
constexpr int most_taps_per_round = 1536;

template <class T>
constexpr int outputs_per_block = (threads_per_block * outputs_per_thread<T>);

/// 7168 taps of 8 bytes or 14336 of 4, of the max_constant_taps<T> that there is room for.
template <class T>
constexpr int most_taps_per_launch = max_constant_taps<T> / 8 * 7;

// clang-format off
// [kernel]
/// y[n] = sum over k of h[k] x[n - k] (or adds that to y[n]), outputs_per_thread neighboring outputs per
/// thread; h[k] is in constant memory.
template <class T>
__global__ void __launch_bounds__(threads_per_block) convolve_constant_operands_kernel(
    const T* __restrict__ x, int samples,  // x[0, samples)
    int taps,                              // h[0, taps)
    T* __restrict__ y, int outputs,        // y[0, outputs); y - head is aligned where y_aligned
    int first, int head, bool y_aligned,   // y[0] is output `first` of full; x + first - head is aligned
    bool add, int taps_per_round) {
  constexpr int block = outputs_per_block<T>;
  extern __shared__ __align__(16) unsigned char memory[];
  T* const tile = reinterpret_cast<T*>(memory);  // samples: halo, then one for each output
  const int begin = blockIdx.x * block - head;   // the block's first output
  const T* const h = constant_taps<T>();
  T sum[outputs_per_thread<T>] = {};
  for (int k = 0; k < taps; k += taps_per_round) {
    const int round = min(taps_per_round, taps - k), halo = whole_vectors<T>(round);
    if (k > 0) __syncthreads();  // all have read the previous round's samples before new ones replace them
    load_tile(tile, halo, x, samples, first + begin - k - halo);
    __syncthreads();  // the tile is written by all before any thread reads its window
    const T* const own = tile + halo + threadIdx.x * outputs_per_thread<T>;
    add_products(sum, own, uniform_taps<T>{h + k}, round);
  }
  store_outputs(tile, sum, y, outputs, begin, y_aligned, add);
}
// [kernel]
// clang-format on

/// For the halo and the samples of the outputs.
template <class T>
int shared_bytes(int taps) {
  return static_cast<int>(sizeof(T)) * (taps_per_round<T>(taps, most_taps_per_round) + outputs_per_block<T>);
}

}  // namespace

// [wrapper]
template <class T>
void convolve_constant_operands(device_span<const T> x, device_span<const T> h, device_span<T> y,
                                convolution_mode mode, cudaStream_t stream) {
  using W = wrapping<T>;
  constexpr int block = outputs_per_block<W>, most = most_taps_per_launch<W>;
  const auto [samples, taps, outputs, first] = checked_int_sizes(x.size(), h.size(), y.size(), mode, block);
  const int head = (elements_past_boundary(x.data()) + first % vector_size<W>) % vector_size<W>;
  const bool y_aligned = elements_past_boundary(y.data()) == head;
  const int blocks = ceil_div(outputs + head, block);
  // More taps than there is room for: one launch for each part, which adds to the outputs of the one before.
  for (std::size_t k = 0; k < h.size(); k += most) {
    const auto part = h.subspan(k, std::min<std::size_t>(most, h.size() - k));
    copy_to_constant_memory(part, stream);
    convolve_constant_operands_kernel<W>
        <<<blocks, threads_per_block, shared_bytes<W>(int(part.size())), stream>>>(
            wrapping_data(x), samples, int(part.size()), wrapping_data(y), outputs, first - int(k), head,
            y_aligned, k > 0, taps_per_round<W>(int(part.size()), most_taps_per_round));
    check(cudaGetLastError());
  }
}
// [wrapper]

TUTORIAL_INSTANTIATE_CONVOLUTION(convolve_constant_operands, cudaStream_t);

template <class T>
kernel_facts detail::constant_operands_facts() {
  return facts_of(convolve_constant_operands_kernel<wrapping<T>>, threads_per_block,
                  shared_bytes<wrapping<T>>(1025), "constant_operands");
}
template kernel_facts detail::constant_operands_facts<std::int32_t>();
template kernel_facts detail::constant_operands_facts<float>();
template kernel_facts detail::constant_operands_facts<double>();

}  // namespace tutorial

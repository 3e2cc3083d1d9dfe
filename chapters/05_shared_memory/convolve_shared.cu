// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// One thread per output. The threads of a block first bring the samples that their outputs meet into shared
// memory, each sample once; then all of them read there. The taps lie in constant memory.
#include <algorithm>
#include <stdexcept>
#include <string>

#include "04_constant_memory/tap_storage.cuh"
#include "common/device/ceil_div.hpp"
#include "common/device/device_attribute.hpp"
#include "common/files/element_type.hpp"
#include "convolve_shared.hpp"

namespace tutorial {
namespace {

// clang-format off
// [kernel]
/// y[n] = sum over k of h[k] x[n - k], one thread per output; or that sum is added to y[n].
template <class T>
__global__ void convolve_shared_kernel(
    const T* __restrict__ x, int samples,  // x[0, samples)
    int taps,                              // h[0, taps) at the start of constant memory
    T* __restrict__ y, int outputs,        // y[0, outputs)
    int first,                             // y[0] is output `first` of full
    bool add) {
  extern __shared__ __align__(16) unsigned char shared_bytes[];
  T* const tile = reinterpret_cast<T*>(shared_bytes);  // [0, tile_size)
  const int halo = taps - 1, tile_size = blockDim.x + halo;
  const int tile_begin = first + blockIdx.x * blockDim.x - halo;  // oldest sample that its first output meets

  // tile[j] == x[tile_begin + j], and zero where there is no such sample: ghosts are made here and nowhere
  // else
  for (int j = threadIdx.x; j < tile_size; j += blockDim.x) {
    const int m = tile_begin + j;
    tile[j] = 0 <= m && m < samples ? x[m] : T{};
  }
  __syncthreads();  // the tile is written by all threads before any thread reads it

  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= outputs) return;  // not before the barrier: threads without an output have staged samples, too
  const int n = first + i;   // index within full
  const T* const h = constant_taps<T>();
  T sum = add ? y[i] : T{};
  for (int k = 0; k < taps; ++k) sum += h[k] * tile[n - k - tile_begin];
  y[i] = sum;
}
// [kernel]
// clang-format on

constexpr int threads_per_block = shared_tile;

// [launch]
/// Adds to y (delay 0: writes there) what the taps in constant memory contribute. They are a part of the
/// filter, and a filter themselves, whose outputs come `delay` later: tap delay + k of the whole one meets
/// x[n - delay - k].
template <class T>
void launch_part(device_span<const T> x, std::size_t taps, std::size_t delay, device_span<T> y, int first,
                 cudaStream_t stream) {
  const int samples = static_cast<int>(x.size()), outputs = static_cast<int>(y.size());
  const int blocks = ceil_div(outputs, threads_per_block);
  const std::size_t tile_bytes = (threads_per_block + taps - 1) * sizeof(T);
  const auto kernel = convolve_shared_kernel<wrapping<T>>;
  if (tile_bytes > 48 * 1024)  // request it for this kernel: the maximum, for calls of other threads
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin)));
  kernel<<<blocks, threads_per_block, tile_bytes, stream>>>(wrapping_data(x), samples, static_cast<int>(taps),
                                                            wrapping_data(y), outputs,
                                                            first - static_cast<int>(delay), delay > 0);
  check(cudaGetLastError());
}
// [launch]

int checked_first(std::size_t samples, std::size_t taps, std::size_t outputs, convolution_mode mode) {
  return checked_int_sizes(samples, taps, outputs, mode, threads_per_block + max_constant_taps<float>).first;
}

/// What load_shared_taps() has left in constant memory, as far as the host knows: copies into it are made
/// here only.
loaded_filter loaded;

}  // namespace

template <class T>
std::size_t most_shared_taps() {
  const auto bytes = static_cast<std::size_t>(device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin));
  return std::min(max_constant_taps<T>, bytes / sizeof(T) - shared_tile + 1);
}

// [wrapper]
template <class T>
void convolve_shared(device_span<const T> x, device_span<const T> h, device_span<T> y, convolution_mode mode,
                     cudaStream_t stream) {
  const int first = checked_first(x.size(), h.size(), y.size(), mode);
  loaded = {};
  for (std::size_t begin = 0; begin < h.size(); begin += shared_taps_per_launch<T>) {
    const std::size_t taps = std::min(shared_taps_per_launch<T>, h.size() - begin);
    copy_to_constant_memory(h.subspan(begin, taps),
                            stream);  // waits until the previous launch has read its taps
    launch_part(x, taps, begin, y, first, stream);
  }
}
// [wrapper]

template <class T>
void load_shared_taps(device_span<const T> h, cudaStream_t stream) {
  if (h.empty() || h.size() > most_shared_taps<T>())
    throw std::invalid_argument("one launch can take 1 to " + std::to_string(most_shared_taps<T>()) +
                                " taps of this type, and here are " + std::to_string(h.size()));
  copy_to_constant_memory(h, stream);
  loaded = loaded_filter::here(element_type_of<T>(), h.size());
}

template <class T>
void convolve_shared_with_loaded_taps(device_span<const T> x, std::size_t taps, device_span<T> y,
                                      convolution_mode mode, cudaStream_t stream) {
  const int first = checked_first(x.size(), taps, y.size(), mode);
  if (loaded != loaded_filter::here(element_type_of<T>(), taps))
    throw std::invalid_argument("constant memory holds another filter");
  launch_part(x, taps, 0, y, first, stream);
}

TUTORIAL_INSTANTIATE_CONVOLUTION(convolve_shared, cudaStream_t);
template std::size_t most_shared_taps<std::int32_t>();
template std::size_t most_shared_taps<float>();
template std::size_t most_shared_taps<double>();
template void load_shared_taps<std::int32_t>(device_span<const std::int32_t>, cudaStream_t);
template void load_shared_taps<float>(device_span<const float>, cudaStream_t);
template void load_shared_taps<double>(device_span<const double>, cudaStream_t);
template void convolve_shared_with_loaded_taps<std::int32_t>(device_span<const std::int32_t>, std::size_t,
                                                             device_span<std::int32_t>, convolution_mode,
                                                             cudaStream_t);
template void convolve_shared_with_loaded_taps<float>(device_span<const float>, std::size_t,
                                                      device_span<float>, convolution_mode, cudaStream_t);
template void convolve_shared_with_loaded_taps<double>(device_span<const double>, std::size_t,
                                                       device_span<double>, convolution_mode, cudaStream_t);

}  // namespace tutorial

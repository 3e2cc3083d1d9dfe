// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What a warp does with a tile of its own, however the tile came: where it lies in x and y, its outputs, and
// their way back.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>

#include "06_register_tiling/sliding_window.cuh"
#include "common/device/wrapping.hpp"
#include "convolve_ring.hpp"

namespace tutorial {

inline constexpr int lanes_per_warp = 32, warps_per_block = 4;

/// Five vectors of outputs for each lane. Five is odd: no bank conflicts, as with chapter 06's seven.
template <class T>
inline constexpr int outputs_per_lane = 5 * vector_size<T>;
template <class T>
inline constexpr int outputs_per_tile = (lanes_per_warp * outputs_per_lane<T>);

/// h[0, taps), and room for more.
template <class T>
struct ring_taps {
  T h[ring_max_taps<T>];
};

// [tiles]
/// One convolution, cut into tiles: tile t has the outputs y[t * outputs_per_tile - head, ...) and lies in
/// shared memory as `halo` samples, then one for each output.
template <class T>
struct tiled_convolution {
  const T* x;  // x[0, samples)
  T* y;        // y[0, outputs)
  int samples, taps, outputs;
  int first;       // y[0] is output `first` of full
  int head;        // x + first - head is aligned to 16 bytes
  bool y_aligned;  // y - head, too
  int tiles;

  /// Samples before those of the outputs.
  __host__ __device__ int halo() const { return whole_vectors<T>(taps); }
  /// Samples in a tile.
  __host__ __device__ int tile_size() const { return halo() + outputs_per_tile<T>; }
  /// The first output of tile t.
  __device__ int begin(int t) const { return t * outputs_per_tile<T> - head; }
  /// tile[j] == x[source(t) + j]
  __device__ int source(int t) const { return first + begin(t) - halo(); }
  /// Are all samples of tile t there? Then x + source(t) is aligned, and whole vectors can be copied.
  __device__ bool inside(int t) const { return 0 <= source(t) && source(t) + tile_size() <= samples; }
  /// Are all outputs of tile t wanted, at y + begin(t), which is aligned?
  __device__ bool stores_whole(int t) const {
    return 0 <= begin(t) && begin(t) + outputs_per_tile<T> <= outputs && y_aligned;
  }
};
// [tiles]

/// Does element by element what a copy of vectors cannot: ghosts are zero.
template <class T>
__device__ void load_elements(T* tile, const tiled_convolution<T>& work, int t) {
#pragma unroll 4
  for (int j = threadIdx.x % lanes_per_warp; j < work.tile_size(); j += lanes_per_warp) {
    const int m = work.source(t) + j;
    tile[j] = 0 <= m && m < work.samples ? work.x[m] : T{};
  }
}

// [known]
/// sum[r] += sum over k in [0, Taps) of h[k] x[r - k]; x is aligned. No loop is left, and no test.
template <int Taps, class T, int Outputs>
__device__ __forceinline__ void add_known_products(T (&sum)[Outputs], const T* x, const T* h) {
  constexpr int width = vector_size<T>, around = Outputs + width;
  T window[around];  // x[m] is in window[m mod around]
  fill<Outputs>(window, x);
#pragma unroll
  for (int k = 0; k < Taps; ++k) {
    if (k % width == 0 && k + 1 < Taps)  // x[-k - width, -k), which the next taps need
      load_vector(window + (Taps * around - k - width) % around, x - k - width);
    add_tap(sum, window, h[k], k);
  }
}
// [known]

// [outputs]
/// tile[i] = output i of the tile, for all i in [0, outputs_per_tile). The tile has arrived, for all lanes.
/// Taps: how many there are, if the compiler shall know; 0: work.taps.
template <int Taps = 0, class T>
__device__ __forceinline__ void replace_by_outputs(T* tile, const tiled_convolution<T>& work, const T* h) {
  constexpr int own = outputs_per_lane<T>;
  const int lane = threadIdx.x % lanes_per_warp;
  T sum[own] = {};
  if constexpr (Taps != 0)
    add_known_products<Taps>(sum, tile + whole_vectors<T>(Taps) + lane * own, h);
  else
    add_products(sum, tile + work.halo() + lane * own, uniform_taps<T>{h}, work.taps);
  __syncwarp();  // all lanes have read their samples before outputs replace them
#pragma unroll
  for (int r = 0; r < own; r += vector_size<T>) store_vector(tile + lane * own + r, sum + r);
}

/// y[begin(t) + i] = tile[i]. All lanes have written their outputs to the tile.
template <class T>
__device__ __forceinline__ void store_tile(const T* tile, const tiled_convolution<T>& work, int t) {
  const int lane = threadIdx.x % lanes_per_warp, begin = work.begin(t);
  if (work.stores_whole(t)) {
#pragma unroll
    for (int r = 0; r < outputs_per_lane<T>; r += vector_size<T>) {
      const int i = r * lanes_per_warp + lane * vector_size<T>;
      put_vector(work.y + begin + i, get_vector(tile + i));
    }
  } else {
#pragma unroll 4
    for (int i = lane; i < outputs_per_tile<T>; i += lanes_per_warp)
      if (0 <= begin + i && begin + i < work.outputs) work.y[begin + i] = tile[i];
  }
}
// [outputs]

/// The convolution, cut into tiles. Throws std::invalid_argument, as the function `name`.
template <class T>
tiled_convolution<wrapping<T>> cut_into_tiles(const std::string& name, device_span<const T> x,
                                              std::span<const T> h, device_span<T> y, convolution_mode mode) {
  using W = wrapping<T>;
  const auto [samples, taps, outputs, first] =
      checked_int_sizes(x.size(), h.size(), y.size(), mode, outputs_per_tile<W>);
  if (h.size() > std::size_t(ring_max_taps<T>))
    throw std::invalid_argument(name + ": at most " + std::to_string(ring_max_taps<T>) +
                                " taps; convolve_register_tiled() takes more");
  const int head = (elements_past_boundary(x.data()) + first % vector_size<W>) % vector_size<W>;
  return {.x = wrapping_data(x),
          .y = wrapping_data(y),
          .samples = samples,
          .taps = taps,
          .outputs = outputs,
          .first = first,
          .head = head,
          .y_aligned = elements_past_boundary(y.data()) == head,
          .tiles = ceil_div(outputs + head, outputs_per_tile<W>)};
}

/// h as a parameter.
template <class T>
ring_taps<wrapping<T>> parameter_of(std::span<const T> h) {
  ring_taps<wrapping<T>> taps{};
  std::copy(h.begin(), h.end(), taps.h);
  return taps;
}

}  // namespace tutorial

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// The ring again. One lane asks for a whole tile, and a barrier in shared memory says when it is there.
/// Since compute capability 9.0 an engine of the multiprocessor does such a bulk copy: no lane copies.
#include <cuda/barrier>

#include "common/device/check.hpp"
#include "common/device/kernel_facts.hpp"
#include "convolve_ring.hpp"
#include "warp_tile.cuh"

namespace tutorial {
namespace {

constexpr int threads_per_block = warps_per_block * lanes_per_warp;

using arrival = cuda::barrier<cuda::thread_scope_block>;

/// The barriers of a block, in whole vectors: what is behind them stays aligned.
template <int Depth>
constexpr int arrival_bytes = (warps_per_block * Depth * int(sizeof(arrival)) + 15) / 16 * 16;

/// The engine reaches shared memory by another way than lanes do, another *proxy*. A barrier alone does not
/// order the two. With this fence before the barrier, the engine writes after all that the lanes have read or
/// written there.
__device__ __forceinline__ void before_the_engine() {
#if defined(__CUDA_ARCH__) && !defined(EMULATED_CUDA)
#if __CUDA_ARCH__ >= 900
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
#endif
#endif
}

// clang-format off
// [fetch]
/// Begins to bring tile t. A phase of `arrived` ends when one lane has arrived and its copies have landed.
template <class T>
__device__ __forceinline__ void fetch(T* tile, arrival& arrived, const tiled_convolution<T>& work, int t) {
  if (t >= work.tiles) return;
  const bool inside = work.inside(t);
  if (!inside) {
    load_elements(tile, work, t);
    __syncwarp();  // all lanes have written before one of them arrives
  }
  if (threadIdx.x % lanes_per_warp != 0) return;
  const cuda::aligned_size_t<16> bytes(work.tile_size() * sizeof(T));
  if (inside) cuda::memcpy_async(tile, work.x + work.source(t), bytes, arrived);
  (void)arrived.arrive();
}
// [fetch]

// [kernel]
/// y[n] = sum over k of h[k] x[n - k]. Tiles, warps and rings as in walk_ring(); each slot of a ring
/// has its barrier, and each tile in the slot is one of its phases: even, odd, even, ...
template <class T, int Depth>
__global__ void __launch_bounds__(threads_per_block, 4) convolve_bulk_kernel(
    const tiled_convolution<T> work, const __grid_constant__ ring_taps<T> taps) {
  extern __shared__ __align__(16) unsigned char memory[];
  const int warp = threadIdx.x / lanes_per_warp, warps = gridDim.x * warps_per_block;
  arrival* const arrivals = reinterpret_cast<arrival*>(memory) + warp * Depth;  // one for each slot
  T* const ring = reinterpret_cast<T*>(memory + arrival_bytes<Depth>) + warp * Depth * work.tile_size();
  const auto tile = [&](int slot) { return ring + slot * work.tile_size(); };
  const int first = blockIdx.x * warps_per_block + warp;

  if (threadIdx.x % lanes_per_warp < Depth) init(arrivals + threadIdx.x % lanes_per_warp, 1);
  before_the_engine();
  __syncwarp();  // the barriers are there before a lane arrives or waits
  for (int ahead = 0; ahead < Depth - 1; ++ahead)
    fetch(tile(ahead), arrivals[ahead], work, first + ahead * warps);
  int slot = 0;
  bool odd = false;  // the phase that tile t is in its slot
  for (int t = first; t < work.tiles; t += warps) {
    const int behind = (slot + Depth - 1) % Depth;  // where tile t - warps was: its outputs are stored
    fetch(tile(behind), arrivals[behind], work, t + (Depth - 1) * warps);
    arrivals[slot].wait_parity(odd);  // for every lane: the whole tile is there
    replace_by_outputs(tile(slot), work, taps.h);
    __syncwarp();                           // all outputs are written before lanes read others'
    store_tile(tile(slot), work, t);
    before_the_engine();                    // what this lane has read and written in the tile
    __syncwarp();                           // all lanes have read them before the next fetch overwrites them
    slot = (slot + 1) % Depth;
    if (slot == 0) odd = !odd;
  }
}
// [kernel]
// clang-format on

constexpr int depth = 3;

/// Of a block.
template <class T>
std::size_t shared_bytes(int tile_size) {
  return std::size_t(arrival_bytes<depth>) + std::size_t(warps_per_block * depth * tile_size) * sizeof(T);
}

}  // namespace

// [wrapper]
template <class T>
void convolve_bulk(device_span<const T> x, std::span<const T> h, device_span<T> y, convolution_mode mode,
                   int most_blocks) {
  const auto work = cut_into_tiles("convolve_bulk", x, h, y, mode);
  const auto kernel = convolve_bulk_kernel<wrapping<T>, depth>;
  const std::size_t bytes = shared_bytes<T>(work.tile_size());
  const int blocks = std::min({ceil_div(work.tiles, warps_per_block), most_blocks,
                               resident_blocks(kernel, threads_per_block, bytes)});
  kernel<<<blocks, threads_per_block, bytes>>>(work, parameter_of(h));
  check(cudaGetLastError());
}
// [wrapper]

template void convolve_bulk<std::int32_t>(device_span<const std::int32_t>, std::span<const std::int32_t>,
                                          device_span<std::int32_t>, convolution_mode, int);
template void convolve_bulk<float>(device_span<const float>, std::span<const float>, device_span<float>,
                                   convolution_mode, int);
template void convolve_bulk<double>(device_span<const double>, std::span<const double>, device_span<double>,
                                    convolution_mode, int);

}  // namespace tutorial

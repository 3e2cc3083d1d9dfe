// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// A ring of tiles that come and go by bulk copies: one lane asks, and an engine beside the lanes copies.
#pragma once

#include <cuda/barrier>
#include <cuda/ptx>

#include "fetch.cuh"

namespace tutorial {

using arrival = cuda::barrier<cuda::thread_scope_block>;

/// The barriers of a block, in whole vectors: what is behind them stays aligned.
template <int Depth>
inline constexpr int arrival_bytes = (warps_per_block * Depth * int(sizeof(arrival)) + 15) / 16 * 16;

/// Shared memory of a block.
template <int Depth, class T>
std::size_t bulk_ring_bytes(const tiled_convolution<T>& work) {
  return std::size_t(arrival_bytes<Depth>) +
         std::size_t(warps_per_block * Depth * work.tile_size()) * sizeof(T);
}

// clang-format off
// [fetch]
/// Starts to copy tile t, if all of it is in the signal. Called by one lane. A phase of `arrived` ends when
/// this lane has arrived and its bytes have landed.
template <class T>
__device__ __forceinline__ void fetch(T* tile, arrival& arrived, const tiled_convolution<T>& work, int t) {
  if (t >= work.tiles || !work.inside(t)) return;
  const cuda::aligned_size_t<16> bytes(work.tile_size() * sizeof(T));
  cuda::device::memcpy_async_tx(tile, work.x + work.source(t), bytes, arrived);
  (void)cuda::device::barrier_arrive_tx(arrived, 1, bytes);
}
// [fetch]

// [ring]
/// Like walk_ring(), which it calls before compute capability 9.0. Each slot of a ring has its own barrier,
/// and each tile that is fetched is one of the barrier's phases.
/// The engine reaches shared memory by a different path than the lanes, another *proxy*: a fence orders what
/// a lane has read and written there before what the engine does.
template <int Depth, class T, class Compute>
__device__ __forceinline__ void walk_bulk_ring(const tiled_convolution<T>& work, const Compute& compute) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
  walk_ring<Depth>(work, compute);  // no such engine
#else
  namespace ptx = cuda::ptx;
  extern __shared__ __align__(16) unsigned char memory[];
  const int lane = threadIdx.x % lanes_per_warp, warp = threadIdx.x / lanes_per_warp;
  const int warps = gridDim.x * warps_per_block, first = blockIdx.x * warps_per_block + warp;
  arrival* const arrivals = reinterpret_cast<arrival*>(memory) + warp * Depth;  // one for each slot
  T* const ring = reinterpret_cast<T*>(memory + arrival_bytes<Depth>) + warp * Depth * work.tile_size();
  const auto tile = [&](int slot) { return ring + slot * work.tile_size(); };

  if (lane == 0) {
    for (int slot = 0; slot < Depth; ++slot) init(arrivals + slot, 1);
    ptx::fence_proxy_async(ptx::space_shared);
    for (int ahead = 0; ahead < Depth - 1; ++ahead)
      fetch(tile(ahead), arrivals[ahead], work, first + ahead * warps);
  }
  __syncwarp();         // the barriers are there before a lane waits
  int slot = 0;         // where tile t is
  unsigned parity = 0;  // bit s: the parity of slot s's next phase
  for (int t = first; t < work.tiles; t += warps) {
    if (work.inside(t)) {
      arrivals[slot].wait_parity(parity >> slot & 1);  // for every lane: the whole tile is there
      parity ^= 1u << slot;
    } else {
      load_elements(tile(slot), work, t);
      __syncwarp();  // all lanes have written before one of them reads
    }
    compute(tile(slot));
    const bool whole = work.stores_whole(t);
    if (!whole) {
      __syncwarp();  // all outputs are written before lanes read those of others
      store_tile(tile(slot), work, t);
    }
    ptx::fence_proxy_async(ptx::space_shared);
    __syncwarp();  // all lanes are done with the tile before the engine stores or overwrites it
    if (lane == 0) {
      const int behind = (slot + Depth - 1) % Depth;
      ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());  // the previous tile's outputs have left
      fetch(tile(behind), arrivals[behind], work, t + (Depth - 1) * warps);
      if (whole)
        ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, work.y + work.begin(t), tile(slot),
                           outputs_per_tile<T> * sizeof(T));
      ptx::cp_async_bulk_commit_group();
    }
    slot = (slot + 1) % Depth;
  }
  if (lane == 0) ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
#endif
}
// [ring]
// clang-format on

}  // namespace tutorial

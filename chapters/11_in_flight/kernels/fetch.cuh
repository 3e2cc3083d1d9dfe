// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// A ring of tiles that the lanes of a warp copy themselves, by pipeline primitives.
#pragma once

#include <cuda_pipeline.h>

#include "warp_tile.cuh"

namespace tutorial {

// clang-format off
// [fetch]
/// Starts to copy tile t. After a wait for its stage and a __syncwarp(), the tile is there for all lanes.
template <class T>
__device__ __forceinline__ void fetch(T* tile, const tiled_convolution<T>& work, int t) {
  if (t >= work.tiles) return;
  if (!work.inside(t)) return load_elements(tile, work, t);
  const T* const from = work.x + work.source(t);
  for (int j = threadIdx.x % lanes_per_warp * vector_size<T>; j < work.tile_size();
       j += lanes_per_warp * vector_size<T>)
    __pipeline_memcpy_async(tile + j, from + j, 16);
}
// [fetch]

// [ring]
/// Warp w of the grid computes the tiles w, w + warps, w + 2 warps, ... Each warp has a ring of Depth tiles,
/// and no barrier with others. compute(tile) replaces the samples of a tile with its outputs.
template <int Depth, class T, class Compute>
__device__ __forceinline__ void walk_ring(const tiled_convolution<T>& work, const Compute& compute) {
  extern __shared__ __align__(16) unsigned char memory[];
  const int warp = threadIdx.x / lanes_per_warp, warps = gridDim.x * warps_per_block;
  T* const ring = reinterpret_cast<T*>(memory) + warp * Depth * work.tile_size();
  const auto tile = [&](int slot) { return ring + slot * work.tile_size(); };
  const int first = blockIdx.x * warps_per_block + warp;

  for (int ahead = 0; ahead < Depth - 1; ++ahead) {
    fetch(tile(ahead), work, first + ahead * warps);
    __pipeline_commit();
  }
  int slot = 0;  // where tile t is
  for (int t = first; t < work.tiles; t += warps) {
    // Into the slot of the previous tile, whose outputs have been stored.
    fetch(tile((slot + Depth - 1) % Depth), work, t + (Depth - 1) * warps);
    __pipeline_commit();               // a stage in every turn; at the end, an empty one
    __pipeline_wait_prior(Depth - 1);  // all but the last Depth - 1: this lane's part of tile t is there
    __syncwarp();                      // and the parts of the other lanes
    compute(tile(slot));
    __syncwarp();                      // all outputs are written before lanes read those of others
    store_tile(tile(slot), work, t);
    __syncwarp();                      // all lanes have read them before the next fetch overwrites them
    slot = (slot + 1) % Depth;
  }
}
// [ring]
// clang-format on

}  // namespace tutorial

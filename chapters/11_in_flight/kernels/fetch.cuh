// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// How the lanes of a warp begin to copy a tile, by pipeline primitives.
#pragma once

#include <cuda_pipeline.h>

#include "warp_tile.cuh"

namespace tutorial {

// clang-format off
// [fetch]
/// Begins to copy tile t; after its stage has been waited for, and __syncwarp(), it is there for all lanes.
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
// clang-format on

}  // namespace tutorial

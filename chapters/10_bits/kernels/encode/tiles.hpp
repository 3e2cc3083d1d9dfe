// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// A scan cut into tiles, one for each block of threads. For host and device.
#pragma once

#include <cuda_runtime.h>

#include "10_bits/host/scan_layout.hpp"
#include "common/device/ceil_div.hpp"

namespace tutorial {

/// 8x8 blocks of a tile, and threads that work on it.
inline constexpr int blocks_in_tile = 128;

/// A stretch of the scan, within one restart interval.
struct scan_tile {
  int interval, first_of_interval;  ///< Its number, and that of its first 8x8 block.
  int first, count;                 ///< 8x8 blocks: number of the first, and how many.
  bool begins, ends;                ///< Its interval.
};

/// Every interval is cut on its own, into tiles of 128 blocks and a shorter last one. Without markers the
/// whole scan is one interval.
struct tile_layout {
  scan_layout scan;
  int tiles_in_interval, tiles;

  /// The tiles of that scan.
  explicit tile_layout(const scan_layout& scan)
      : scan(scan), tiles_in_interval(ceil_div(scan.blocks_in_interval(), blocks_in_tile)), tiles(0) {
    const int last = scan.blocks() - (scan.intervals() - 1) * scan.blocks_in_interval();
    tiles = (scan.intervals() - 1) * tiles_in_interval + ceil_div(last, blocks_in_tile);
  }

  /// 0 <= tile < tiles.
  __host__ __device__ scan_tile at(int tile) const {
    const int interval = tile / tiles_in_interval, part = tile % tiles_in_interval;
    const int begin = interval * scan.blocks_in_interval();
    const int left = scan.blocks() - begin;
    const int end = begin + (left < scan.blocks_in_interval() ? left : scan.blocks_in_interval());
    const int first = begin + part * blocks_in_tile;
    const int count = end - first < blocks_in_tile ? end - first : blocks_in_tile;
    return {interval, begin, first, count, part == 0, first + count == end};
  }
  /// The first tile of an interval.
  __host__ __device__ int first_of(int interval) const { return interval * tiles_in_interval; }
};

}  // namespace tutorial

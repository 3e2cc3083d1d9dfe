// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// The order in which a JPEG file holds its 8x8 blocks. For host and device.
#pragma once

#include <cuda_runtime.h>

#include "09_dct_compression/host/compressed_picture.hpp"

namespace tutorial {

/// One 8x8 block of a scan.
struct scan_block {
  int component;
  int column, row;  ///< In blocks. Beyond the component's own blocks: see is_real.
  /// A unit at the right or lower edge can hold blocks that the component has not. They are coded, too: with
  /// the DC of the block before them, and zeros.
  bool is_real;
};

/// A baseline scan of one component or three (ITU-T T.81, A.2.3): units (MCU) row by row; in a unit,
/// component after component, h x v blocks of each, row by row. Blocks and units count from 0 in that order.
struct scan_layout {
  struct component {
    int h, v;                      ///< Blocks in a unit.
    int blocks_wide, blocks_high;  ///< Real ones.
    int first;                     ///< The number of its first block in a unit.
  };
  int components, units_wide, units_high, blocks_in_unit;
  int restart_interval;  ///< Units between two restart markers; 0: no markers.
  component of[3];

  /// Of the whole scan.
  __host__ __device__ int units() const { return units_wide * units_high; }
  /// Those that are not real included.
  __host__ __device__ int blocks() const { return units() * blocks_in_unit; }
  /// Blocks in an interval; all of them where there are no markers.
  __host__ __device__ int blocks_in_interval() const {
    return restart_interval == 0 ? blocks() : restart_interval * blocks_in_unit;
  }
  /// One more than there are restart markers.
  __host__ __device__ int intervals() const {
    return restart_interval == 0 ? 1 : (units() + restart_interval - 1) / restart_interval;
  }

  /// 0 <= block < blocks().
  __host__ __device__ scan_block at(int block) const {
    return in_unit(block / blocks_in_unit, block % blocks_in_unit);
  }

  // [prediction]
  /// The block whose DC predicts that of `block`: the real one of the same component that comes before it in
  /// its interval. -1 where there is none: then the prediction is 0.
  __host__ __device__ int predecessor(int block) const {
    const int unit = block / blocks_in_unit, mine = block % blocks_in_unit;
    const component& c = of[component_of(mine)];
    for (int k = mine - 1; k >= c.first; --k)
      if (in_unit(unit, k).is_real) return unit * blocks_in_unit + k;
    if (unit == 0 || (restart_interval != 0 && unit % restart_interval == 0)) return -1;
    int k = c.first + c.h * c.v - 1;
    while (!in_unit(unit - 1, k).is_real) --k;  // the first of a unit always is
    return (unit - 1) * blocks_in_unit + k;
  }
  // [prediction]

 private:
  __host__ __device__ int component_of(int in_unit) const {
    int c = components - 1;
    while (in_unit < of[c].first) --c;
    return c;
  }
  __host__ __device__ scan_block in_unit(int unit, int k) const {
    const int c = component_of(k);
    const component& one = of[c];
    const int column = unit % units_wide * one.h + (k - one.first) % one.h;
    const int row = unit / units_wide * one.v + (k - one.first) / one.h;
    return {c, column, row, column < one.blocks_wide && row < one.blocks_high};
  }
};

/// The layout for a picture of that many pixels, 1 or 3 channels. restart_interval is in units: 8x8 pixels,
/// for 4:2:0 16x16. Throws std::invalid_argument for sizes that are not 1 to 65500, channels that are neither
/// 1 nor 3, and an interval that is not 0 to 65535.
scan_layout scan_layout_of(int width, int height, int channels, chroma_sampling sampling,
                           int restart_interval);

}  // namespace tutorial

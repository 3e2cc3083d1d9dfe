// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The order in which a JPEG file holds its 8x8 blocks. For host and device.
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
  /// One component of the scan: its blocks in a unit, and those that it has.
  struct component {
    int h, v;                      ///< Blocks in a unit.
    int blocks_wide, blocks_high;  ///< Real ones.
    int first;                     ///< The number of its first block in a unit.
    bool all_real;                 ///< No unit holds a block that the component has not.
    friend bool operator==(const component&, const component&) = default;
  };
  /// One block of a unit: of which component, and where in the unit's part of it.
  struct place {
    int component, column, row;
    friend bool operator==(const place&, const place&) = default;
  };
  friend bool operator==(const scan_layout&, const scan_layout&) = default;
  static constexpr int most_components = 4;
  static constexpr int most_in_unit = 10;  ///< So the standard; 4:2:0 has 2 x 2 + 1 + 1.

  int components, units_wide, units_high, blocks_in_unit;
  int restart_interval;  ///< Units between two restart markers; 0: no markers.
  component of[most_components];
  place in_unit[most_in_unit];

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
  /// The first block of the interval that `block` belongs to.
  __host__ __device__ int first_of_interval(int block) const {
    return restart_interval == 0 ? 0 : block - block % blocks_in_interval();
  }

  // A device divides whole numbers by a long sequence of instructions, so a scan of one component, whose
  // units are single blocks, goes without all divisions but one.
  /// 0 <= block < blocks().
  __host__ __device__ scan_block at(int block) const {
    const int unit = components == 1 ? block : block / blocks_in_unit;
    return at(unit, block - unit * blocks_in_unit);
  }

  /// The inverse of at(): the number of a component's block.
  __host__ __device__ int number_of(int c, int row, int column) const {
    const component& mine = of[c];
    const int unit = row / mine.v * units_wide + column / mine.h;
    return unit * blocks_in_unit + mine.first + row % mine.v * mine.h + column % mine.h;
  }

  // [prediction]
  /// The block whose DC predicts that of `block`: the real one of the same component that comes before it in
  /// its interval, which begins with block number `first`. -1 where there is none: then the prediction is 0.
  __host__ __device__ int predecessor(int block, int first) const {
    if (components == 1) return block > first ? block - 1 : -1;
    const int unit = block / blocks_in_unit, mine = block - unit * blocks_in_unit;
    const component& c = of[in_unit[mine].component];
    for (int k = mine - 1; k >= c.first; --k)
      if (c.all_real || at(unit, k).is_real) return block - mine + k;
    const int before = block - mine - blocks_in_unit;  // the first block of the unit before
    if (before < first) return -1;
    int k = c.first + c.h * c.v - 1;
    while (!(c.all_real || at(unit - 1, k).is_real)) --k;  // the first of a unit always is
    return before + k;
  }
  // [prediction]

 private:
  __host__ __device__ scan_block at(int unit, int k) const {
    const place& here = in_unit[k];
    const component& c = of[here.component];
    const int unit_row = unit / units_wide;
    const int column = (unit - unit_row * units_wide) * c.h + here.column, row = unit_row * c.v + here.row;
    return {here.component, column, row, c.all_real || (column < c.blocks_wide && row < c.blocks_high)};
  }
};

/// The layout for a picture of that many pixels, 1 or 3 channels. restart_interval is in units: 8x8 pixels,
/// for 4:2:0 16x16. Throws std::invalid_argument for sizes that are not 1 to 65500, channels that are neither
/// 1 nor 3, and an interval that is not 0 to 65535.
scan_layout scan_layout_of(int width, int height, int channels, chroma_sampling sampling,
                           int restart_interval);

}  // namespace tutorial

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// A tile of pixels for a warp: 16 neighbors of a row of 8x8 blocks, from memory and back, and folded and
// unfolded for the products.
//
// Lane 4g + j takes the rows j and 7 - j of the blocks 2g and 2g + 1: two words of 16 pixels.
#pragma once

#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>

#include "09_dct_compression/kernels/block_memory.cuh"
#include "09_dct_compression/kernels/fused_launch.hpp"
#include "common/device/ceil_div.hpp"
#include "common/device/plane.hpp"
#include "product_matrices.hpp"

namespace tutorial::detail {

constexpr int tile_width = 128, tile_height = 8;  // pixels

/// Rows of pixels in device memory, each beginning at a multiple of 16 bytes.
template <class Byte>
struct pixel_rows {
  Byte* data;
  std::size_t pitch;
  int width, height;
};

/// Where a tile lies. Tiles are counted row by row.
struct tile_place {
  int column, row;  // of its first pixel
};
__device__ __forceinline__ tile_place place_of_tile(int tile, int tiles_in_row) {
  return {tile % tiles_in_row * tile_width, tile / tiles_in_row * tile_height};
}
/// The place as many tiles further on as `step` is from the first one, without a division.
__device__ __forceinline__ void advance(tile_place& at, tile_place step, int tiles_in_row) {
  at.column += step.column;
  at.row += step.row;
  if (at.column < tiles_in_row * tile_width) return;
  at.column -= tiles_in_row * tile_width;
  at.row += tile_height;
}

/// The 16 pixels from (row, column) on; beyond the edge the last column and row are repeated.
__device__ __forceinline__ uint4 load_16_pixels(const pixel_rows<const std::uint8_t>& from, int row,
                                                int column) {
  const std::uint8_t* const line = from.data + min(row, from.height - 1) * from.pitch;
  if (column + 16 <= from.width) return *reinterpret_cast<const uint4*>(line + column);
  unsigned words[4] = {};
#pragma unroll
  for (int i = 0; i < 16; ++i)
    words[i / 4] |= unsigned(line[min(column + i, from.width - 1)]) << (8 * (i % 4));
  return make_uint4(words[0], words[1], words[2], words[3]);
}

/// Writes those of the 16 pixels that are inside.
__device__ __forceinline__ void store_16_pixels(const pixel_rows<std::uint8_t>& to, int row, int column,
                                                uint4 pixels) {
  if (row >= to.height) return;
  std::uint8_t* const line = to.data + row * to.pitch;
  if (column + 16 <= to.width) {
    *reinterpret_cast<uint4*>(line + column) = pixels;
    return;
  }
  const unsigned words[4] = {pixels.x, pixels.y, pixels.z, pixels.w};
#pragma unroll
  for (int i = 0; i < 16; ++i)
    if (column + i < to.width) line[column + i] = std::uint8_t(words[i / 4] >> (8 * (i % 4)));
}

/// Two fp16 numbers in a word, the first in its lower half.
__device__ __forceinline__ __half2 as_halves(unsigned bits) {
  return *reinterpret_cast<const __half2*>(&bits);
}
__device__ __forceinline__ unsigned as_bits(__half2 halves) {
  return *reinterpret_cast<const unsigned*>(&halves);
}

/// 1024 + pixel for two bytes of a word: the fp16 number with the bytes 0x64 and p is 1024 + p.
__device__ __forceinline__ __half2 two_pixels(unsigned word, unsigned bytes) {
  return as_halves(__byte_perm(word, 0x64646464u, bytes));
}

// [fold]
/// Rows j and 7 - j of a block become 4 numbers of each part, as pairs: [part][0] columns 0 and 1, [part][1]
/// columns 2 and 3. All are whole numbers of at most 512: nothing is rounded. They include the level shift of
/// the four pixels that add up.
__device__ __forceinline__ void fold(uint2 top, uint2 bottom, __half2 (&folded)[4][2]) {
  const __half2 shift = as_halves(0xE880E880u);  // -2304 = -2 * (1024 + 128)
#pragma unroll
  for (int pair = 0; pair < 2; ++pair) {
    // Columns 0 and 1, or 2 and 3; and those that mirror them, 7 and 6, or 5 and 4.
    const unsigned left = pair == 0 ? 0x4140 : 0x4342, right = pair == 0 ? 0x4243 : 0x4041;
    const __half2 top_left = two_pixels(top.x, left), top_right = two_pixels(top.y, right);
    const __half2 bottom_left = two_pixels(bottom.x, left), bottom_right = two_pixels(bottom.y, right);
    const __half2 sum_left = __hadd2(top_left, __hadd2(bottom_left, shift));
    const __half2 sum_right = __hadd2(top_right, __hadd2(bottom_right, shift));
    const __half2 difference_left = __hsub2(top_left, bottom_left);
    const __half2 difference_right = __hsub2(top_right, bottom_right);
    folded[0][pair] = __hadd2(sum_left, sum_right);
    folded[1][pair] = __hsub2(sum_left, sum_right);
    folded[2][pair] = __hadd2(difference_left, difference_right);
    folded[3][pair] = __hsub2(difference_left, difference_right);
  }
}
// [fold]

// [unfold]
/// The way back: part[p][c] belongs to column c, 0 <= c < 4, of the folded row j.
__device__ __forceinline__ void unfold(const float (&part)[4][4], uint2& top, uint2& bottom) {
  float above[8], below[8];  // rows j and 7 - j
#pragma unroll
  for (int c = 0; c < 4; ++c) {
    const float even_left = part[0][c] + part[1][c], even_right = part[0][c] - part[1][c];
    const float odd_left = part[2][c] + part[3][c], odd_right = part[2][c] - part[3][c];
    above[c] = even_left + odd_left, above[7 - c] = even_right + odd_right;
    below[c] = even_left - odd_left, below[7 - c] = even_right - odd_right;
  }
  top = make_uint2(four_pixels(above[0], above[1], above[2], above[3]),
                   four_pixels(above[4], above[5], above[6], above[7]));
  bottom = make_uint2(four_pixels(below[0], below[1], below[2], below[3]),
                      four_pixels(below[4], below[5], below[6], below[7]));
}
// [unfold]

// [levels]
/// Turns two numbers, forward_scale times a level before rounding, into two levels divided by inverse_scale.
///
/// With small levels the addition alone makes them: 0x3E00 + n are the bits of the fp16 number 1.5 + n / 2^10
/// for |n| <= 512, and are in the lower half of the sum with 1.5 * 2^23 + 0x3E00.
template <bool SmallLevels>
__device__ __forceinline__ __half2 two_levels(float a, float b) {
  constexpr float scale = float(1 / forward_scale), back = float(1 / inverse_scale);
  if constexpr (SmallLevels) {
    constexpr float whole = whole_in_low_bits + 0x3E00;
    const unsigned both =
        __byte_perm(__float_as_uint(fmaf(a, scale, whole)), __float_as_uint(fmaf(b, scale, whole)), 0x5410);
    return __hsub2(as_halves(both), as_halves(0x3E003E00u));
  } else {
    const float first = fmaf(a, scale, whole_in_low_bits), second = fmaf(b, scale, whole_in_low_bits);
    return __floats2half2_rn(fmaf(first, back, -whole_in_low_bits * back),
                             fmaf(second, back, -whole_in_low_bits * back));
  }
}
// [levels]

/// What the launches have in common: checks the planes, and counts tiles.
struct tile_grid {
  int tiles_in_row, tiles;
};
inline tile_grid tile_grid_of(device_plane_span<const std::uint8_t> pixels,
                              device_plane_span<std::uint8_t> result) {
  require_size(pixels, pixels.width(), pixels.height(), "pixels");
  require_size(result, pixels.width(), pixels.height(), "result");
  require_aligned_rows(pixels, sizeof(uint4), "pixels");
  require_aligned_rows(result, sizeof(uint4), "result");
  if (pixels.width() > 1 << 30) throw std::invalid_argument("rows of more than 2^30 pixels");
  const std::int64_t in_row = ceil_div(std::int64_t{pixels.width()}, std::int64_t{tile_width});
  const std::int64_t tiles = in_row * ceil_div(std::int64_t{pixels.height()}, std::int64_t{tile_height});
  if (tiles > std::numeric_limits<int>::max() / 2)
    throw std::invalid_argument("a picture of " + std::to_string(tiles) + " tiles: too large");
  return {int(in_row), int(tiles)};
}
template <class Byte>
pixel_rows<Byte> rows_of(device_plane_span<Byte> plane) {
  return {plane.data(), plane.pitch(), plane.width(), plane.height()};
}

}  // namespace tutorial::detail

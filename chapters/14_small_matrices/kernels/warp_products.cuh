// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The products of one tile by one warp, with mma.sync. Lane 4g + j has the rows j and 7 - j of the blocks 2g
// and 2g + 1, and that is just what it must bring: nothing goes from lane to lane.
//
// Row g of a product is block 2g, and row g + 8 is block 2g + 1.
#pragma once

#include <cuda_runtime.h>

#include "tiles.cuh"

namespace tutorial::detail {

// [mma]
/// sums += a * b, with a of 16 x 16 and b of 16 x 8 fp16 numbers and sums of 16 x 8 floats. Of these, lane
/// 4g + j has
///     a[0]: (g, 2j), (g, 2j + 1)        a[1]: (g + 8, 2j), ...    b.x: (2j, g), (2j + 1, g)
///     a[2]: (g, 2j + 8), (g, 2j + 9)    a[3]: (g + 8, 2j + 8)     b.y: (2j + 8, g), (2j + 9, g)
///     sums[0], sums[1]: (g, 2j), (g, 2j + 1)                      sums[2], sums[3]: (g + 8, 2j), ...
/// By a whole warp.
__device__ __forceinline__ void add_product(float (&sums)[4], const unsigned (&a)[4], uint2 b) {
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b.x), "r"(b.y));
}

/// sums += a * (high + low): 16 columns in two halves. The small products first, while the sum is small.
__device__ __forceinline__ void add_split_product(float (&sums)[2][4], const unsigned (&a)[4],
                                                  const uint4* b) {
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    add_product(sums[half], a, make_uint2(b[half].z, b[half].w));
    add_product(sums[half], a, make_uint2(b[half].x, b[half].y));
  }
}
// [mma]

/// What a lane has of the folded tile, as the factors a of four products.
struct folded_tile {
  unsigned part[folded_parts][4];
};
__device__ __forceinline__ folded_tile fold_tile(uint4 top, uint4 bottom) {
  folded_tile result;
#pragma unroll
  for (int block = 0; block < 2; ++block) {
    __half2 folded[4][2];
    fold(block == 0 ? make_uint2(top.x, top.y) : make_uint2(top.z, top.w),
         block == 0 ? make_uint2(bottom.x, bottom.y) : make_uint2(bottom.z, bottom.w), folded);
#pragma unroll
    for (int part = 0; part < folded_parts; ++part)
#pragma unroll
      for (int pair = 0; pair < 2; ++pair) result.part[part][block + 2 * pair] = as_bits(folded[part][pair]);
  }
  return result;
}

// [chain]
/// Transforms the lane's two words of pixels, and transforms them back. `matrices` are its lane_fragments.
template <bool SmallLevels>
__device__ __forceinline__ void round_trip_tile(uint4& top, uint4& bottom, const uint4 (&matrices)[16]) {
  const folded_tile folded = fold_tile(top, bottom);
  float pixels[folded_parts][2][4];  // of each part, what the lane has of 16 columns
#pragma unroll
  for (int part = 0; part < folded_parts; ++part) {
    float sums[2][4] = {};
    add_split_product(sums, folded.part[part], matrices + 2 * part);
    // A lane's part of a product's sums is the part of the next factor a that it must supply.
    const unsigned levels[4] = {as_bits(two_levels<SmallLevels>(sums[0][0], sums[0][1])),
                                as_bits(two_levels<SmallLevels>(sums[0][2], sums[0][3])),
                                as_bits(two_levels<SmallLevels>(sums[1][0], sums[1][1])),
                                as_bits(two_levels<SmallLevels>(sums[1][2], sums[1][3]))};
#pragma unroll
    for (int i = 0; i < 8; ++i)
      pixels[part][i / 4][i % 4] = part == 0 ? 128.0f : 0.0f;  // the level shift back
    add_split_product(pixels[part], levels, matrices + 8 + 2 * part);
  }
  uint2 rows[2][2];  // [block][top, bottom]
#pragma unroll
  for (int block = 0; block < 2; ++block) {
    float of_block[folded_parts][4];
#pragma unroll
    for (int i = 0; i < 16; ++i) of_block[i / 4][i % 4] = pixels[i / 4][i % 4 / 2][2 * block + i % 2];
    unfold(of_block, rows[block][0], rows[block][1]);
  }
  top = make_uint4(rows[0][0].x, rows[0][0].y, rows[1][0].x, rows[1][0].y);
  bottom = make_uint4(rows[0][1].x, rows[0][1].y, rows[1][1].x, rows[1][1].y);
}
// [chain]

/// The lane's part of all matrices, into registers.
__device__ __forceinline__ void load_fragments(const uint4* fragments, uint4 (&matrices)[16]) {
#pragma unroll
  for (int i = 0; i < 16; ++i) matrices[i] = fragments[32 * i + threadIdx.x % 32];
}

}  // namespace tutorial::detail

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// An 8x8 block between memory and the registers of one thread: rows of 8 pixels as words, and numbers out of
// them.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

namespace tutorial {

/// Where a block lies in a plane of bytes whose rows are aligned to 8 bytes.
struct pixel_block {
  int column, row;  ///< Of its first pixel.
  int width, height;
  /// No part of it lies beyond the edge.
  __device__ bool is_whole() const { return column + 8 <= width && row + 8 <= height; }
};

/// One row of a block: 8 pixels, the first in the lowest byte of x.
using pixel_row = uint2;

/// Pixel i of the row, 0 <= i < 8.
__device__ __forceinline__ unsigned byte_of(const pixel_row& row, int i) {
  return (i < 4 ? row.x : row.y) >> (8 * (i & 3)) & 255u;
}

// [load]
/// The rows of a block that is whole.
__device__ __forceinline__ void load_whole_rows(const std::uint8_t* pixels, std::size_t pitch,
                                                const pixel_block& at, pixel_row* rows) {
  const std::uint8_t* const first = pixels + at.row * pitch + at.column;
  // All loads before the first use: eight are under way at once.
#pragma unroll
  for (int r = 0; r < 8; ++r) rows[r] = *reinterpret_cast<const pixel_row*>(first + r * pitch);
}

/// The rows of any block; over the edge the last column and row are repeated.
__device__ __forceinline__ void load_rows(const std::uint8_t* pixels, std::size_t pitch,
                                          const pixel_block& at, pixel_row* rows) {
  if (at.is_whole()) {
    load_whole_rows(pixels, pitch, at, rows);
    return;
  }
#pragma unroll
  for (int r = 0; r < 8; ++r) {
    const std::uint8_t* const line = pixels + min(at.row + r, at.height - 1) * pitch;
    rows[r] = make_uint2(0, 0);
#pragma unroll
    for (int c = 0; c < 8; ++c) {
      const unsigned pixel = line[min(at.column + c, at.width - 1)];
      (c < 4 ? rows[r].x : rows[r].y) |= pixel << (8 * (c & 3));
    }
  }
}
// [load]

// [store]
/// Writes a block that is whole.
__device__ __forceinline__ void store_whole_rows(std::uint8_t* pixels, std::size_t pitch,
                                                 const pixel_block& at, const pixel_row* rows) {
  std::uint8_t* const first = pixels + at.row * pitch + at.column;
#pragma unroll
  for (int r = 0; r < 8; ++r) *reinterpret_cast<pixel_row*>(first + r * pitch) = rows[r];
}

/// Writes what is inside of any block.
__device__ __forceinline__ void store_rows(std::uint8_t* pixels, std::size_t pitch, const pixel_block& at,
                                           const pixel_row* rows) {
  if (at.is_whole()) {  // asked once, and not for every row: it costs instructions
    store_whole_rows(pixels, pitch, at, rows);
    return;
  }
  std::uint8_t* const first = pixels + at.row * pitch + at.column;
#pragma unroll
  for (int r = 0; r < 8; ++r)
#pragma unroll 1  // few blocks come here: short code, and no register that whole blocks would lack
    for (int c = 0; c < 8; ++c)
      if (at.row + r < at.height && at.column + c < at.width)
        first[r * pitch + c] = static_cast<std::uint8_t>(byte_of(rows[r], c));
}
// [store]

// [round]
/// `value` plus this: the whole number nearest to value, halves to the even one, stands in the low 16 bits,
/// as two's complement. Floats of that size, 1.5 * 2^23, have no digits behind the point left, so that the
/// addition rounds.
constexpr float whole_in_low_bits = 12582912.0f;
// [round]

// [pixels]
/// Four numbers clamped to 0..255, the first in the lowest byte.
__device__ __forceinline__ unsigned four_bytes(int a, int b, int c, int d) {
#if defined(__CUDA_ARCH__) && !defined(EMULATED_CUDA)  // an instruction that has no name in C++
  unsigned upper, all;
  asm("cvt.pack.sat.u8.s32.b32 %0, %1, %2, 0;" : "=r"(upper) : "r"(d), "r"(c));
  asm("cvt.pack.sat.u8.s32.b32 %0, %1, %2, %3;" : "=r"(all) : "r"(b), "r"(a), "r"(upper));
  return all;
#else
  const auto byte = [](int value) { return unsigned(min(max(value, 0), 255)); };
  return byte(a) | byte(b) << 8 | byte(c) << 16 | byte(d) << 24;
#endif
}

/// The same of numbers that are rounded to the nearest whole one first.
__device__ __forceinline__ unsigned four_pixels(float a, float b, float c, float d) {
  return four_bytes(__float2int_rn(a), __float2int_rn(b), __float2int_rn(c), __float2int_rn(d));
}
// [pixels]

}  // namespace tutorial

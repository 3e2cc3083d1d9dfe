// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// From the bits of a tile to the bytes of the file that end in it.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "10_bits/host/jpeg_file.hpp"
#include "tile_code.cuh"

namespace tutorial {

/// Bits 31 - n of the result: the n-th bit before the end of `bits`, of the last 7.
__device__ inline unsigned last_bits(const tile_bits& bits) {
  const int last = bits.count - 1, j = last / 32;
  return __funnelshift_r(bits.words[j], j == 0 ? 0 : bits.words[j - 1], 31 - last % 32) & 127;
}

/// The bytes that end in a tile, before stuffing. A tile of an interval can begin in the middle of a byte:
/// that byte is this tile's, and its first bits are the last ones of the tile before.
struct tile_bytes {
  tile_bits bits;
  int shift;      ///< Bits of the first byte that are not the tile's own: 0 to 7.
  unsigned tail;  ///< The last 7 bits of the tile before.
  bool
      /// The interval: ones fill the last byte. Elsewhere the bits behind the last whole byte are the next
      /// tile's.
      ends;

  /// How many they are.
  __device__ int size() const { return (shift + bits.count + (ends ? 7 : 0)) / 8; }
  /// Four bytes, the first at the top; bytes that are not there are 0. 0 <= 4 j < size().
  __device__ std::uint32_t word(int j) const {
    std::uint32_t word = __funnelshift_r(bits.words[j], j == 0 ? tail : bits.words[j - 1], unsigned(shift));
    const int left = size() - 4 * j;
    if (ends && left <= 4) word |= ((1u << (8 * size() - shift - bits.count)) - 1) << (8 * (4 - left));
    return left >= 4 ? word : word & ~(0xffffffffu >> (8 * left));
  }
};

/// How many of its four bytes are 0xFF.
__device__ inline int bytes_ff(std::uint32_t word) { return __popc(__vcmpeq4(word, 0xffffffffu)) / 8; }

// [stretch]
/// The words of a tile that thread t looks at: as many as any other one, side by side.
struct stretch {
  int begin, end;
};
/// That of one thread, of so many words.
__device__ inline stretch stretch_of(int thread, int words) {
  const int each = (words + blocks_in_tile - 1) / blocks_in_tile;
  return {min(words, thread * each), min(words, (thread + 1) * each)};
}
// [stretch]

/// Writes the words of a stretch, a 0 behind each 0xFF, from file[to] on; what has no room is left out.
__device__ inline void write_stuffed(const tile_bytes& bytes, const stretch& part, std::uint64_t to,
                                     std::uint8_t* file, std::uint64_t room) {
  const int size = bytes.size();
  for (int j = part.begin; j < part.end; ++j) {
    const std::uint32_t word = bytes.word(j);
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      if (4 * j + i >= size) break;
      const std::uint8_t byte = std::uint8_t(word >> (24 - 8 * i));
      if (to < room) file[to] = byte;
      ++to;
      if (byte != 0xFF) continue;
      if (to < room) file[to] = 0;
      ++to;
    }
  }
}

}  // namespace tutorial

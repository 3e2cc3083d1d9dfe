// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The same walk through a table, in constant and in global memory, with warps and lanes in step or apart:
// what the cache behind constant memory likes more and less.
#pragma once

#include <cstdint>

#include "common/device/device_memory.hpp"

namespace tutorial {

/// How the threads walk. Thread i belongs to warp i / 32, is lane i % 32 of it, and begins at word
/// warp * warp_step + lane * lane_step of the table. From there it reads `reads` words one after the other;
/// behind the last word of the table comes the first. All threads do the same work, whatever the steps.
struct table_walk {
  int words = 0;      ///< In the table: a power of two, at most 16384.
  int reads = 0;      ///< By each thread, at most 2^24.
  int warp_step = 0;  ///< [0, words). 0: all warps begin at the same word.
  int lane_step = 0;  ///< [0, words). 0: all lanes of a warp do.
};

/// Where thread i begins: [0, words).
inline int walk_start(const table_walk& walk, int i) {
  return (i / 32 * walk.warp_step + i % 32 * walk.lane_step) & (walk.words - 1);
}

/// Copies the table into constant memory, where it stays. std::invalid_argument for more than 16384 words.
void load_walk_table(device_span<const std::int32_t> table);

/// y[i] = sum over r of 31^(reads - 1 - r) table[(start + r) mod words], modulo 2^32: a word at another place
/// in the order gives another sum. One thread per element of y, whose length is a multiple of 256, at most
/// 2^21 (std::invalid_argument otherwise, and for a walk outside of what table_walk admits). The table is the
/// one that was loaded last.
void walk_constant(const table_walk& walk, device_span<std::int32_t> y);

/// The same with a table of `words` words in global memory.
void walk_global(device_span<const std::int32_t> table, const table_walk& walk, device_span<std::int32_t> y);

}  // namespace tutorial

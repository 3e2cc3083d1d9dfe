// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// All multiprocessors read at once, as fast as they can: from a table in device memory, which a cache may
// hold, from shared memory, and from registers.
#pragma once

#include <cstdint>

#include "common/device/device_memory.hpp"

namespace tutorial {

// All of them launch and do not wait. The threads are as many as `sums` or `y` has elements, in blocks of
// 256: a multiple of 256, at most 2^24. They throw std::invalid_argument for what does not fit, and
// cuda_error for a launch that is refused. Nothing is launched for no threads.

/// What each thread reads: the vectors (i + r * step) mod n of a table of n, for r = 0 to reads - 1.
struct table_reads {
  std::uint32_t step = 0;
  int reads = 0;  ///< [0, 2^20]
};

/// sums[i] = the sum of all four words of the vectors that thread i reads, modulo 2^32. The table's length is
/// a power of two.
void read_table(device_span<const uint4> table, table_reads which, device_span<std::uint32_t> sums);

/// The same from shared memory: each block stages the table, at most 1024 vectors, and thread i of a *block*
/// reads the vectors (i + r * step) mod n.
void read_shared(device_span<const uint4> table, table_reads which, device_span<std::uint32_t> sums);

/// How many multiply-adds a thread of read_registers() does in a round, and the bytes that each of them takes
/// from registers.
inline constexpr int multiply_adds_per_round = 16, bytes_per_multiply_add = 12;

/// y[i] = the sum of 16 sums, in order, where sum 4 p + q has been through `rounds` (at least 0) times
/// fma(a[p], b[q], sum), from 0 on. a and b are of thread i: a[p] = x[(i + p) mod n], b[q] = x[(i + 4 + q)
/// mod n] for a table x of n elements, at least 1.
void read_registers(device_span<const float> x, int rounds, device_span<float> y);

}  // namespace tutorial

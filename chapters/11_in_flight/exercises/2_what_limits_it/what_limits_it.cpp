// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Exercise 2: how many blocks fit on a multiprocessor, and what does a profile name as the limiter? The
// functions get kernel_needs, multiprocessor and profile_row: what_limits_it.hpp.

#include "what_limits_it.hpp"

#include <algorithm>

namespace tutorial {

namespace {

int round_up(int number, int unit) { return (number + unit - 1) / unit * unit; }

int warps_per_block(const kernel_needs& kernel, const multiprocessor& on) {
  return round_up(kernel.threads_per_block, on.lanes) / on.lanes;
}

}  // namespace

int resident_blocks(const kernel_needs& kernel, const multiprocessor& on) {
  const int warps = warps_per_block(kernel, on);
  // TODO: the blocks that threads, registers, shared memory allow; the fewest count (about 6 lines)
  const int by_threads = on.threads / kernel.threads_per_block;
  const int by_registers = on.registers / (kernel.registers_per_thread * warps);
  return std::min({by_threads, by_registers, on.blocks});
}

double occupancy(const kernel_needs& kernel, const multiprocessor& on) {
  // TODO: resident warps by the most that there can be (about 2 lines)
  return double(resident_blocks(kernel, on)) / on.blocks;  // blocks are no warps
}

limiter name_limiter(const profile_row& row) {
  // TODO: ask in the right order (about 4 lines)
  return row.issue > row.memory ? limiter::issue : limiter::memory_bytes;  // the larger number?
}

}  // namespace tutorial

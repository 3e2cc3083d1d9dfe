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
  // SOLUTION: the blocks that threads, registers, shared memory allow; the fewest count (about 6 lines)
  // STARTER: const int by_threads = on.threads / kernel.threads_per_block;
  // STARTER: const int by_registers = on.registers / (kernel.registers_per_thread * warps);
  // STARTER: return std::min({by_threads, by_registers, on.blocks});
  // A warp that is not full takes the place of a full one.
  const int by_threads = on.threads / (warps * on.lanes);
  // Registers are given to whole warps, and a scheduler cannot use those of another one.
  const int registers = round_up(kernel.registers_per_thread * on.lanes, on.register_unit);
  const int by_registers = on.registers / on.schedulers / registers * on.schedulers / warps;
  const int shared = round_up(kernel.shared_bytes_per_block + on.reserved_shared_bytes, on.shared_unit);
  const int by_shared = on.shared_bytes / shared;
  return std::min({by_threads, by_registers, by_shared, on.blocks});
  // END SOLUTION
}

double occupancy(const kernel_needs& kernel, const multiprocessor& on) {
  // SOLUTION: resident warps by the most that there can be (about 2 lines)
  // STARTER: return double(resident_blocks(kernel, on)) / on.blocks;  // blocks are no warps
  const int most = on.threads / on.lanes;
  return double(resident_blocks(kernel, on) * warps_per_block(kernel, on)) / most;
  // END SOLUTION
}

limiter name_limiter(const profile_row& row) {
  // SOLUTION: ask in the right order (about 4 lines)
  // STARTER: return row.issue > row.memory ? limiter::issue : limiter::memory_bytes;  // the larger number?
  if (row.memory >= 70) return limiter::memory_bytes;
  if (row.arithmetic >= 80) return limiter::arithmetic;  // first: multiply-adds are issued, too
  if (row.issue >= 80) return limiter::issue;
  return limiter::waiting;
  // END SOLUTION
}

}  // namespace tutorial

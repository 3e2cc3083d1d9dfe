// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What reductions and scans of groups share.
#pragma once

#include "groups.hpp"

namespace cuda_emulator {

template <class Group>
constexpr void check_collective_group() {
  static_assert(
      requires(const Group& group) { group.shfl(0, 0); },
      "reductions and scans are for tiles of up to 32 threads and coalesced groups; over a block, combine "
      "the results of its tiles in shared memory");
}

/// The value of this thread combined with those of all before it, in steps of 1, 2, 4, ... ranks.
template <class Group, class T, class Operation>
EMULATOR_DEVICE T scanned(const Group& group, T value, Operation&& operation, unsigned column) {
  for (unsigned distance = 1; distance < group.size(); distance *= 2) {
    const T before = group.shfl_up(value, distance, column);
    if (distance <= group.thread_rank()) value = operation(value, before);
  }
  return value;
}

}  // namespace cuda_emulator

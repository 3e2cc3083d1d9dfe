// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// cg::inclusive_scan() and cg::exclusive_scan() over a tile or a coalesced group.
#pragma once

#include <cooperative_groups.h>

#ifdef __CUDACC__

#include "emulator/threads/group_collectives.hpp"

namespace cooperative_groups {

template <class Group, class T, class Operation>
EMULATOR_INLINE auto inclusive_scan(const Group& group, T&& value, Operation&& operation,
                                    unsigned column = EMULATOR_COLUMN) {
  cuda_emulator::check_collective_group<Group>();
  return cuda_emulator::scanned(group, std::remove_cvref_t<T>(value), operation, column);
}
template <class Group, class T>
EMULATOR_INLINE auto inclusive_scan(const Group& group, T&& value, unsigned column = EMULATOR_COLUMN) {
  return inclusive_scan(group, value, plus<std::remove_cvref_t<T>>(), column);
}

/// Without the thread's own value. The first thread gets T(), whatever the operation is.
template <class Group, class T, class Operation>
EMULATOR_INLINE auto exclusive_scan(const Group& group, T&& value, Operation&& operation,
                                    unsigned column = EMULATOR_COLUMN) {
  using type = std::remove_cvref_t<T>;
  const type all = inclusive_scan(group, value, operation, column);
  const type before = group.shfl_up(all, 1, column);
  return group.thread_rank() == 0 ? type{} : before;
}
template <class Group, class T>
EMULATOR_INLINE auto exclusive_scan(const Group& group, T&& value, unsigned column = EMULATOR_COLUMN) {
  return exclusive_scan(group, value, plus<std::remove_cvref_t<T>>(), column);
}

}  // namespace cooperative_groups

#endif

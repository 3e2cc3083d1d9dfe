// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// cg::reduce(): one value from those of all threads of a tile or a coalesced group.
#pragma once

#include <cooperative_groups.h>

#ifdef __CUDACC__

#include "emulator/threads/group_collectives.hpp"

namespace cooperative_groups {

/// All threads get the result. In a tile it is combined in the order of a butterfly, as on a GPU, which for
/// floating point decides the last bits; in other groups in the order of a scan.
template <class Group, class T, class Operation>
EMULATOR_INLINE auto reduce(const Group& group, T&& value, Operation&& operation,
                            unsigned column = EMULATOR_COLUMN) {
  cuda_emulator::check_collective_group<Group>();
  std::remove_cvref_t<T> result = value;
  if constexpr (requires { group.shfl_xor(result, 1u); }) {
    for (unsigned distance = Group::size() / 2; distance > 0; distance /= 2)
      result = operation(result, group.shfl_xor(result, distance, column));
  } else if constexpr (requires { group.emulator_combined(result, operation); }) {
    for (unsigned distance = 16; distance > 0; distance /= 2)
      result =
          operation(result, cuda_emulator::shuffled(cuda_emulator::warp_operation::shuffle_xor, 0xffffffffu,
                                                    result, static_cast<int>(distance), 32, column));
    result = group.emulator_combined(result, operation);
  } else if (group.size() == 32) {
    for (int distance = 16; distance > 0; distance /= 2)
      result =
          operation(result, group.shfl(result, static_cast<int>(group.thread_rank()) ^ distance, column));
  } else {
    result = group.shfl(cuda_emulator::scanned(group, result, operation, column),
                        static_cast<int>(group.size()) - 1, column);
  }
  return result;
}

}  // namespace cooperative_groups

#endif

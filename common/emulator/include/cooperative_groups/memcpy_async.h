// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// cg::memcpy_async(): a copy that a group does together, and wait() for it.
#pragma once

#include <cooperative_groups.h>

#include <cuda/barrier>

#ifdef __CUDACC__

#include <cstddef>

#include "emulator/threads/asynchronous_copies.hpp"

namespace cooperative_groups {

/// `bytes` bytes.
template <class Group, class T>
EMULATOR_INLINE void memcpy_async(const Group& group, T* to, const T* from, std::size_t bytes) {
  cuda_emulator::copy_by_group(group, to, from, bytes);
  cuda_emulator::ptx::commit_copies();
}
template <class Group, class T, std::size_t Alignment>
EMULATOR_INLINE void memcpy_async(const Group& group, T* to, const T* from,
                                  const cuda::aligned_size_t<Alignment>& bytes) {
  cuda_emulator::copy_by_group(group, to, from, bytes);
  cuda_emulator::ptx::commit_copies();
}
/// As many elements as both sides have.
template <class Group, class T, class ToCount, class FromCount>
EMULATOR_INLINE void memcpy_async(const Group& group, T* to, const ToCount& to_count, const T* from,
                                  const FromCount& from_count) {
  const std::size_t a = to_count, b = from_count;
  cuda_emulator::copy_by_group(group, to, from, (a < b ? a : b) * sizeof(T));
  cuda_emulator::ptx::commit_copies();
}

/// Until what this group has copied is there, for all its threads.
template <class Group>
EMULATOR_INLINE void wait(const Group& group) {
  cuda_emulator::ptx::wait_for_copies(0);
  group.sync();
}
/// ... all but the last `Stages` copies of it.
template <unsigned Stages, class Group>
EMULATOR_INLINE void wait_prior(const Group& group) {
  cuda_emulator::ptx::wait_for_copies(Stages);
  group.sync();
}

}  // namespace cooperative_groups

#endif

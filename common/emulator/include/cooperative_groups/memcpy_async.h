// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// cg::memcpy_async(): a copy that a group does together, and wait() for it. Here the copy is done at once,
/// by ordinary loads and stores; but what a thread copies is what its neighbor would use, so that reading it
/// without waiting is a race, and found.
#pragma once

#include <cooperative_groups.h>

#include <cuda/barrier>

#ifdef __CUDACC__

#include <cstddef>
#include <cstdint>

namespace cuda_emulator {

template <class Piece>
EMULATOR_DEVICE void copy_pieces(void* to, const void* from, std::size_t bytes, std::size_t rank,
                                 std::size_t threads) {
  for (std::size_t i = rank; i < bytes / sizeof(Piece); i += threads)
    static_cast<Piece*>(to)[i] = static_cast<const Piece*>(from)[i];
}

/// In pieces as large as the addresses and the size allow, 16 bytes at most, as the hardware's copies are.
template <class Group>
EMULATOR_DEVICE void copy_by_group(const Group& group, void* to, const void* from, std::size_t bytes) {
  const std::size_t threads = group.size();
  std::size_t rank = group.thread_rank() ^ 1;
  if (rank >= threads) rank = group.thread_rank();
  const std::uintptr_t odd =
      reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(from) | bytes;
  if (odd % 16 == 0)
    copy_pieces<uint4>(to, from, bytes, rank, threads);
  else if (odd % 8 == 0)
    copy_pieces<unsigned long long>(to, from, bytes, rank, threads);
  else if (odd % 4 == 0)
    copy_pieces<unsigned>(to, from, bytes, rank, threads);
  else
    copy_pieces<unsigned char>(to, from, bytes, rank, threads);
}

}  // namespace cuda_emulator

namespace cooperative_groups {

/// `bytes` bytes.
template <class Group, class T>
EMULATOR_INLINE void memcpy_async(const Group& group, T* to, const T* from, std::size_t bytes) {
  cuda_emulator::copy_by_group(group, to, from, bytes);
}
template <class Group, class T, std::size_t Alignment>
EMULATOR_INLINE void memcpy_async(const Group& group, T* to, const T* from,
                                  const cuda::aligned_size_t<Alignment>& bytes) {
  cuda_emulator::copy_by_group(group, to, from, bytes);
}
/// As many elements as both sides have.
template <class Group, class T, class ToCount, class FromCount>
EMULATOR_INLINE void memcpy_async(const Group& group, T* to, const ToCount& to_count, const T* from,
                                  const FromCount& from_count) {
  const std::size_t a = to_count, b = from_count;
  cuda_emulator::copy_by_group(group, to, from, (a < b ? a : b) * sizeof(T));
}

/// Until what this group has copied is there, for all its threads.
template <class Group>
EMULATOR_INLINE void wait(const Group& group) {
  group.sync();
}
/// ... all but the last `Stages` copies of it. (Here all are done.)
template <unsigned Stages, class Group>
EMULATOR_INLINE void wait_prior(const Group& group) {
  group.sync();
}

}  // namespace cooperative_groups

#endif

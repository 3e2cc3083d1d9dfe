// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What memcpy_async() of cooperative groups and of libcu++ is made of: a copy that a group does together.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "groups.hpp"
#include "ptx.hpp"

namespace cuda_emulator {

/// The group of one thread.
struct single_thread {
  static constexpr std::size_t size() { return 1; }
  static constexpr std::size_t thread_rank() { return 0; }
};

EMULATOR_DEVICE bool goes_to_shared(const void* to, const void* from) {
  return address_space_of(to) == address_space::shared && address_space_of(from) == address_space::global;
}

template <class Piece>
EMULATOR_INLINE void copy_pieces(void* to, const void* from, std::size_t bytes, std::size_t rank,
                                 std::size_t threads) {
  for (std::size_t i = rank; i < bytes / sizeof(Piece); i += threads)
    static_cast<Piece*>(to)[i] = static_cast<const Piece*>(from)[i];
}

/// From global to shared memory asynchronously, else at once, by ordinary loads and stores. In pieces as
/// large as the addresses and the size allow, 16 bytes at most.
template <class Group>
EMULATOR_INLINE void copy_by_group(const Group& group, void* to, const void* from, std::size_t bytes) {
  const std::size_t threads = group.size(), rank = group.thread_rank();
  const std::uintptr_t odd =
      reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(from) | bytes | 16;
  const std::size_t piece = odd & (~odd + 1);
  if (goes_to_shared(to, from)) {
    for (std::size_t i = rank * piece; i < bytes; i += threads * piece)
      ptx::copy_async_piece(static_cast<char*>(to) + i, static_cast<const char*>(from) + i,
                            static_cast<unsigned>(piece));
  } else if (piece == 16) {
    copy_pieces<uint4>(to, from, bytes, rank, threads);
  } else if (piece == 8) {
    copy_pieces<unsigned long long>(to, from, bytes, rank, threads);
  } else if (piece == 4) {
    copy_pieces<unsigned>(to, from, bytes, rank, threads);
  } else {
    copy_pieces<unsigned char>(to, from, bytes, rank, threads);
  }
}

}  // namespace cuda_emulator

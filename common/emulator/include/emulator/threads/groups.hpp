// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What cooperative groups are made of: masks of lanes, ranks in them, and shuffles of values of any size.
#pragma once

#include <cstdint>
#include <source_location>
#include <type_traits>

#include "device_launch_parameters.h"
#include "emulator/export.hpp"
#include "emulator/math/intrinsics.hpp"
#include "synchronization.hpp"

// As EMULATOR_DEVICE, for members and friends.
#define EMULATOR_INLINE inline __attribute__((always_inline, artificial))

namespace cuda_emulator {

template <class T>
constexpr bool not_in_groups = false;

EMULATOR_DEVICE unsigned rank_in_block() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
EMULATOR_DEVICE unsigned threads_of_block() { return blockDim.x * blockDim.y * blockDim.z; }

/// How many lanes of the mask come before the thread's own.
EMULATOR_DEVICE unsigned rank_in(unsigned mask) {
  return static_cast<unsigned>(__popc(mask & ((1u << rank_in_block() % 32) - 1)));
}
/// The lane of this rank. There may be none: then one that the mask does not name, if it does not name all.
EMULATOR_DEVICE int lane_of(unsigned mask, int rank) {
  if (mask == 0xffffffffu) return rank;
  if (rank < 0 || rank >= __popc(mask)) return __ffs(static_cast<int>(~mask)) - 1;
  for (; rank > 0; --rank) mask &= mask - 1;
  return __ffs(static_cast<int>(mask)) - 1;
}
/// The bits that stand at the lanes of the mask, close together.
EMULATOR_DEVICE unsigned packed(unsigned mask, unsigned bits) {
  unsigned result = 0;
  for (int rank = 0; mask != 0; mask &= mask - 1, ++rank)
    result |= ((bits & mask & -mask) != 0 ? 1u : 0u) << rank;
  return result;
}

EMULATOR_DEVICE void check_tile_size(unsigned size) {
  if (size == 0 || size > 32 || (size & (size - 1)) != 0)
    stop_thread(
        "tiled_partition() with a size that is none of 1, 2, 4, 8, 16 and 32",
        "Larger tiles must have their size as an argument of the template: tiled_partition<64>(block).");
}

/// Values of up to 32 bytes, in pieces of 8.
template <class T>
EMULATOR_DEVICE T shuffled(warp_operation operation, unsigned mask, T value, int parameter, int width,
                           unsigned column) {
  // float4 and the like have an assignment of their own in kernel files.
  static_assert(std::is_trivially_copy_constructible_v<T> && std::is_trivially_destructible_v<T>,
                "only values that can be copied byte by byte are shuffled");
  static_assert(sizeof(T) <= 32, "groups shuffle values of at most 32 bytes");
  constexpr unsigned size = sizeof(T);
  if constexpr (std::is_trivially_copyable_v<T> && (size == 1 || size == 2 || size == 4 || size == 8)) {
    return from_bits<T>(warp_collective(operation, mask, to_bits(value), parameter, width, column));
  } else {
    std::uint64_t pieces[(size + 7) / 8] = {};
    __builtin_memcpy(pieces, &value, size);
    for (std::uint64_t& piece : pieces)
      piece = warp_collective(operation, mask, piece, parameter, width, column);
    __builtin_memcpy(&value, pieces, size);
    return value;
  }
}

/// What groups show to this file, but not to programs.
struct group_access {
  template <class Group>
  EMULATOR_INLINE static Group make(unsigned a, unsigned b) {
    return Group(a, b);
  }
  template <class Group>
  EMULATOR_INLINE static Group make(unsigned mask, unsigned meta_rank, unsigned meta_size) {
    return Group(mask, meta_rank, meta_size);
  }
  template <class Group>
  EMULATOR_INLINE static unsigned mask(const Group& group) {
    if constexpr (requires { group.mask(); })
      return group.mask();
    else
      return group.mask_;
  }
};

}  // namespace cuda_emulator

#ifndef EMULATOR_COLUMN
#ifdef __clang__
#define EMULATOR_COLUMN __builtin_COLUMN()
#else
#define EMULATOR_COLUMN ::std::source_location::current().column()
#endif
#endif

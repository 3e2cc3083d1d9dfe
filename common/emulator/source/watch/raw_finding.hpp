// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// A finding as it is noted while kernels run: numbers, of which words are made after the launch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "emulator/finding.hpp"
#include "sites.hpp"
#include "vector_types.h"

namespace cuda_emulator {

/// What is wrong about an asynchronous copy, where it is more than a race with one.
enum class copy_fault : std::uint8_t { none, not_landed, source_changed, never_waited };

struct raw_finding {
  finding_kind kind;
  const void* address = nullptr;
  unsigned size = 0;
  access_kind what = access_kind::read;
  std::uint64_t block = 0;
  int thread = 0;
  std::uint64_t pc = 0;
  /// The thread stands at `pc` now; and then, where the finding is kept, the return addresses from there to
  /// the kernel, the innermost first.
  bool standing = false;
  std::vector<std::uint64_t> callers{};
  // The other one, for a race or a divergent barrier; other_pc is 0 where there is none.
  std::uint64_t other_block = 0;
  int other_thread = 0;
  access_kind other_what = access_kind::read;
  std::uint64_t other_pc = 0;
  /// The array in shared memory, as the arena of the worker numbers it.
  std::uint64_t shared_offset = ~0ull;
  // The variable of the host at the address, if it lies in one that is known.
  std::string host_variable{};
  std::ptrdiff_t host_variable_offset = 0;
  std::size_t host_variable_size = 0;
  // What was fetched, where that was through a texture; texel_x is negative where it did not come to that.
  bool fetched = false;
  std::uint64_t texture = 0;
  std::int64_t texel_x = -1, texel_y = 0, texel_z = 0;
  // For asynchronous copies: the other one is the copy, or the write to its source. The copy's thread has
  // waited at waited_pc without landing it (0: nowhere).
  copy_fault copy = copy_fault::none;
  std::uint64_t waited_pc = 0;
  bool committed = false, at_barrier = false;
  bool nothing_new = false;  ///< No group was committed between that wait and the one before it.
  std::uint64_t groups = 0;  ///< That were committed before that wait; it leaves the last `groups_left`.
  unsigned groups_left = 0;
  // For barriers: how many threads came and how many did not.
  int arrived = 0, missing = 0;
  // For lanes of a warp: what the call names.
  unsigned mask = 0;
  std::uint64_t met_pc =
      0;               ///< Where the other one, which has ended, has met lanes of its warp last; 0: nowhere.
  std::string text{};  ///< The whole message, where it is not made from the rest.
  const char* cause = "";   ///< What follows the message, where that depends on `text`.
  bool at_grid = false;     ///< The barrier is that of the grid.
  std::string details{};    ///< Likewise, for barriers in shared memory.
  bool at_tile = false;     ///< The barrier is that of a tile of a cooperative group.
  std::uint64_t times = 1;  ///< How often it was seen.
  /// The largest address at which it was seen.
  const void* farthest = nullptr;
  bool fenced = false;      ///< A race with another block that calls __threadfence(), but not for this.
  bool same_value = false;  ///< A race of writes, each of which leaves what was there.
  /// The address lies as many bytes beyond what was meant: 2^32 elements, or rows, as from an index below
  /// zero without a sign. 0: it does not.
  std::uint64_t wrapped = 0;
  bool across_warps = false;  ///< Two threads of different warps, or blocks, at least once.
};

}  // namespace cuda_emulator

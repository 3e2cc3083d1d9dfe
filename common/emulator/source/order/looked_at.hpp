// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Where the host has last looked whether its accesses meet anything. Most accesses ask no more than this.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "watch/touched_pages.hpp"

namespace cuda_emulator {

/// How much is kept.
extern std::atomic<std::size_t> kept_count;
/// Counts whatever changes what is ordered.
extern std::atomic<std::uint64_t> order_version;

/// A page where an access of this thread met nothing, as long as order_version stays what it was. None in a
/// function that a stream calls.
struct looked_at {
  std::uint64_t page = 0, version = 0;
};
extern constinit thread_local looked_at last_looked_at __attribute__((tls_model("initial-exec")));

/// Is it known that an access to memory that both sides use meets nothing?
inline bool host_has_looked(const void* address) {
  return last_looked_at.page == reinterpret_cast<std::uintptr_t>(address) / bytes_per_page &&
         last_looked_at.version == order_version.load(std::memory_order_relaxed) &&
         kept_count.load(std::memory_order_relaxed) == 0;
}

}  // namespace cuda_emulator

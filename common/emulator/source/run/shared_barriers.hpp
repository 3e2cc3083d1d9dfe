// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Barriers that are objects in shared memory: cuda::barrier, mbarrier of PTX. A phase is complete when all
// arrivals have come that the barrier expects, and all bytes; then the copies land that it tracks.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "watch/copies_under_way.hpp"
#include "watch/thread_clocks.hpp"

namespace cuda_emulator {

/// Called by the thread that completes a phase; null where there is none.
struct completion_call {
  void (*function)(void*) = nullptr;
  void* argument = nullptr;
};

struct shared_barrier {
  std::uint64_t offset;         ///< In the arena.
  std::uint32_t expected;       ///< Arrivals in each phase.
  std::uint32_t missing;        ///< Of the phase that runs.
  std::uint32_t by_copies = 0;  ///< Of those, how many asynchronous copies will make when they land.
  std::int64_t bytes = 0;       ///< Expected in this phase.
  std::int64_t asked_for = 0;   ///< In bulk copies that it tracks.
  std::uint64_t phase = 0;
  std::uint64_t initialized = 0;  ///< The stamp of that; 0 without checks.
  std::uint64_t initialized_at = 0;
  known_times collecting{}, completed{};
  std::vector<std::uint32_t> arrivals{};  ///< Of each thread, in this phase.
  /// The stamps of the arrivals in this phase, and in the one before.
  std::vector<std::uint64_t> stamps{}, earlier_stamps{};
  std::vector<std::uint64_t> waited{};  ///< Of each thread: so many phases it has seen completed.
  std::vector<copy_under_way> copies{};
  struct waiter {
    int thread;
    std::uint64_t phase;
  };
  std::vector<waiter> waiting{};

  bool is_complete() const {
    // Of a barrier that all have dropped out of no further phase completes.
    return missing == by_copies && bytes == asked_for && (expected != 0 || !arrivals.empty());
  }
};

/// Of the block that a worker runs, by the offset in its arena.
class shared_barriers {
 public:
  void begin_block() {
    if (!barriers_.empty()) barriers_.clear();
  }
  bool empty() const { return barriers_.empty(); }
  shared_barrier* find(std::uint64_t offset) {
    const auto found = barriers_.find(offset);
    return found == barriers_.end() ? nullptr : &found->second;
  }
  shared_barrier& make(std::uint64_t offset, std::uint32_t expected) {
    return barriers_[offset] = {.offset = offset, .expected = expected, .missing = expected};
  }
  void forget(std::uint64_t offset) { barriers_.erase(offset); }
  /// One that threads wait for; null: none.
  const shared_barrier* waited_for() const {
    for (const auto& [offset, b] : barriers_)
      if (!b.waiting.empty()) return &b;
    return nullptr;
  }

 private:
  std::map<std::uint64_t, shared_barrier> barriers_;
};

}  // namespace cuda_emulator

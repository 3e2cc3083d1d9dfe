// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// Asynchronous copies to shared memory that have not landed yet.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "device/device_limits.hpp"

namespace cuda_emulator {

/// One cp.async. Of `size` bytes `from_source` are copied, and the others become zero.
struct copy_under_way {
  int thread;
  const char* from;
  char* to;
  unsigned size, from_source;
  std::uint64_t pc;
  std::uint64_t group = 0;       ///< Number of the commit, of its thread; 0: not committed yet.
  std::uint64_t waited = 0;      ///< Where its thread has waited last, and left it under way; 0: nowhere.
  char begun[16] = {};           ///< The source when the copy began, ...
  std::uint64_t writes[4] = {};  ///< ... and the stamps of the last writes to its words.
};

/// Those of the block that a worker runs, by the thread that has asked for them.
class copies_under_way {
 public:
  void begin_block() {
    if (!used_) return;
    for (auto& each : of_) each = {};
    used_ = false;
  }
  void add(const copy_under_way& copy) {
    used_ = true;
    of_[copy.thread].copies.push_back(copy);
  }
  /// What the thread has asked for since its last commit is a group.
  void commit(int thread) {
    used_ = true;
    const std::uint64_t group = ++of_[thread].groups;
    for (copy_under_way& c : of_[thread].copies)
      if (c.group == 0) c.group = group;
  }
  /// How many groups the thread has committed.
  std::uint64_t groups(int thread) const { return of_[thread].groups; }
  /// Those of the thread for which `lands` holds, in the order in which it has asked for them; they are under
  /// way no longer. The others have been waited past at `pc`.
  template <class Lands>
  std::vector<copy_under_way> take(int thread, std::uint64_t pc, Lands&& lands) {
    std::vector<copy_under_way> taken, left;
    for (copy_under_way& c : of_[thread].copies) {
      if (!lands(c)) c.waited = pc;
      (lands(c) ? taken : left).push_back(c);
    }
    of_[thread].copies = std::move(left);
    return taken;
  }
  /// The one that will write to this address; null: none.
  const copy_under_way* to(const volatile void* address) const {
    const auto* const byte = static_cast<const volatile char*>(address);
    for (const auto& each : of_)
      for (const copy_under_way& c : each.copies)
        if (byte >= c.to && byte < c.to + c.size) return &c;
    return nullptr;
  }

 private:
  struct of_thread {
    std::vector<copy_under_way> copies;
    std::uint64_t groups = 0;
  };
  of_thread of_[limits::threads_per_block];
  bool used_ = false;
};

}  // namespace cuda_emulator

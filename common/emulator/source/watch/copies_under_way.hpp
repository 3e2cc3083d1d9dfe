// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Asynchronous copies that have not landed yet.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "device/device_limits.hpp"

namespace cuda_emulator {

/// Of `size` bytes `from_source` are copied, and the others become zero.
struct copy_under_way {
  int thread;
  const char* from;
  char* to;
  unsigned size, from_source;
  std::uint64_t pc;
  std::uint64_t group = 0;   ///< Number of the commit, of its thread; 0: not committed yet.
  std::uint64_t waited = 0;  ///< Where its thread has waited last, and left it under way; 0: nowhere.
  bool nothing_new = false;  ///< Then no group had been committed since the wait before.
  std::uint64_t groups = 0;  ///< How many had been committed then; at most `groups_left` of them were left.
  unsigned groups_left = 0;
  bool at_barrier = false;  ///< It lands when a phase of a barrier in shared memory completes.
  unsigned zeros = 0;       ///< Before what comes from the source.
  bool is_read = false;     ///< A copy to global memory has read its source.
  // The source when the copy began, and what tells that its words have been written since.
  char few_bytes[16] = {};
  std::uint64_t few_writes[4] = {};
  std::vector<char> many_bytes{};
  std::vector<std::uint64_t> many_writes{};

  /// Makes room for them.
  void remember_source() {
    if (from_source <= sizeof few_bytes) return;
    many_bytes.resize(from_source);
    many_writes.resize(from_source / 4);
  }
  char* bytes() { return many_bytes.empty() ? few_bytes : many_bytes.data(); }
  const char* bytes() const { return many_bytes.empty() ? few_bytes : many_bytes.data(); }
  std::uint64_t* writes() { return many_writes.empty() ? few_writes : many_writes.data(); }
  const std::uint64_t* writes() const { return many_writes.empty() ? few_writes : many_writes.data(); }
};

/// Copies of each thread of a block, in groups that it commits and waits for. Most kernels ask for none, and
/// need no memory for them.
class copy_groups {
 public:
  void begin_block() {
    if (!used_) return;
    for (auto& each : of_) each = {};
    used_ = false;
  }
  void add(const copy_under_way& copy) {
    used_ = true;
    mine(copy.thread).copies.push_back(copy);
  }
  /// What the thread has asked for since its last commit is a group.
  void commit(int thread) {
    used_ = true;
    const std::uint64_t group = ++mine(thread).groups;
    for (copy_under_way& c : mine(thread).copies)
      if (c.group == 0) c.group = group;
  }
  /// Has any thread of the block asked for one?
  bool used() const { return used_; }
  /// Has the thread any that are under way?
  bool any(int thread) const { return !of_.empty() && !of_[static_cast<std::size_t>(thread)].copies.empty(); }
  /// How many groups the thread has committed.
  std::uint64_t groups(int thread) const {
    return of_.empty() ? 0 : of_[static_cast<std::size_t>(thread)].groups;
  }
  std::vector<copy_under_way>& of(int thread) { return mine(thread).copies; }
  /// Those of the thread for which `lands` holds, in the order in which it has asked for them; they are under
  /// way no longer. The others have been waited past at `pc`,
  /// by a wait that leaves `groups_left`.
  template <class Lands>
  std::vector<copy_under_way> take(int thread, std::uint64_t pc, Lands&& lands, unsigned groups_left = 0) {
    std::vector<copy_under_way> taken, left;
    of_thread& of = mine(thread);
    const bool nothing_new = of.has_waited && of.groups == of.groups_at_wait;
    if (pc != 0) {
      of.has_waited = used_ = true;
      of.groups_at_wait = of.groups;
    }
    for (copy_under_way& c : of.copies) {
      const bool now = lands(c);
      if (!now) {
        c.waited = pc;
        c.nothing_new = nothing_new;
        c.groups = of.groups;
        c.groups_left = groups_left;
      }
      (now ? taken : left).push_back(std::move(c));
    }
    of.copies = std::move(left);
    return taken;
  }
  /// The one that will write to this address; null: none.
  const copy_under_way* to(const volatile void* address) const {
    for (const auto& each : of_)
      if (const copy_under_way* const found = find(each.copies, address)) return found;
    return nullptr;
  }
  static const copy_under_way* find(const std::vector<copy_under_way>& copies, const volatile void* address) {
    const auto* const byte = static_cast<const volatile char*>(address);
    for (const copy_under_way& c : copies)
      if (byte >= c.to && byte < c.to + c.size) return &c;
    return nullptr;
  }

 private:
  struct of_thread {
    std::vector<copy_under_way> copies;
    std::uint64_t groups = 0, groups_at_wait = 0;
    bool has_waited = false;
  };
  of_thread& mine(int thread) {
    if (of_.empty()) of_.resize(limits::threads_per_block);
    return of_[static_cast<std::size_t>(thread)];
  }
  std::vector<of_thread> of_;
  bool used_ = false;
};

/// All of the block that a worker runs.
struct copies_under_way {
  copy_groups to_shared;                   ///< cp.async
  copy_groups to_global;                   ///< bulk copies from shared memory
  std::vector<copy_under_way> at_barrier;  ///< They land when a barrier's phase completes; a copy of what
                                           ///< the barrier holds, for messages.

  void begin_block() {
    to_shared.begin_block();
    to_global.begin_block();
    at_barrier.clear();
  }
  const copy_under_way* to(const volatile void* address) const {
    if (const copy_under_way* const found = to_shared.to(address)) return found;
    if (const copy_under_way* const found = to_global.to(address)) return found;
    return copy_groups::find(at_barrier, address);
  }
};

}  // namespace cuda_emulator

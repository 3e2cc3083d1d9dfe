// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Counting what the lanes of a warp ask for together.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "counts.hpp"

namespace cuda_emulator {

class block_trace;
class step_trace;

/// What a lane came through. It is added to at every access and every basic block, so that is short.
class lane_way {
 public:
  /// A lane that has remembered this many must wait until the others of its warp have caught up.
  static constexpr std::size_t most = 8192;

  /// True: it is time to wait.
  [[gnu::always_inline]] bool add(std::uint64_t entry) {
    if (end_ == limit_) [[unlikely]]
      return add_slowly(entry);
    *end_++ = entry;
    return false;
  }
  void clear() {
    end_ = begin_.get();
    limit_ = end_ + std::min(capacity_, most - 1);
  }
  std::size_t size() const { return static_cast<std::size_t>(end_ - begin_.get()); }
  bool empty() const { return end_ == begin_.get(); }
  const std::uint64_t* data() const { return begin_.get(); }
  const std::uint64_t* begin() const { return begin_.get(); }
  const std::uint64_t* end() const { return end_; }
  std::uint64_t back() const { return end_[-1]; }
  std::uint64_t operator[](std::size_t i) const { return begin_[i]; }

 private:
  /// Where there is no more room, or there are as many as may be.
  bool add_slowly(std::uint64_t entry);

  std::uint64_t *end_ = nullptr, *limit_ = nullptr;
  std::unique_ptr<std::uint64_t[]> begin_;
  std::size_t capacity_ = 0;
};

/// Remembers the way of each lane of the warp that runs: which basic blocks it came through, what it
/// accessed. From that it works out what the lanes would have done together, as a GPU does: those that are
/// furthest behind go first, and lanes that are at the same place go on as one. Lanes that access memory
/// together make one request.
class warp_trace {
 public:
  /// True when the lane has remembered as much as it may. For a texture the address is the number of the
  /// fetch (block_trace::begin_fetch()).
  [[gnu::always_inline]] bool add(int lane, space where, std::uint64_t address, std::uint16_t site) {
    return add(lane, address << 18 | static_cast<std::uint64_t>(where) << 16 | site);
  }
  /// The lane begins the basic block at `pc`.
  bool add_step(int lane, std::uint64_t pc) { return add(lane, pc << 18 | step_mark); }
  /// Adds to each lane's way the basic blocks and accesses that it remembers.
  void add_ways(std::uint64_t (&ways)[32]) const {
    for (int lane = 0; lane < 32; ++lane)
      ways[lane] += steps_ == nullptr ? lanes_[lane].size() : size_without_events(lane);
  }
  /// The lanes have come together: turns what they remember into requests.
  void fold(count_totals& totals);
  void forget();
  /// Requests go there as well; null: nowhere else.
  void record_to(block_trace* record) { record_ = record; }
  /// So do the steps of the warp; null: nowhere.
  void record_steps_to(step_trace* steps) { steps_ = steps; }
  /// What step_trace::note() and the like have returned.
  bool add_event(int lane, std::uint64_t event) { return add(lane, event << 18 | step_mark); }
  std::size_t entries(int lane) const { return lanes_[lane].size(); }
  /// See observer::accessed_beyond().
  std::uint64_t accessed_beyond(int lane, unsigned others, std::uint64_t pc) const;

 private:
  struct request {
    std::uint32_t lanes = 0;
    std::uint64_t addresses[32];  // of the lanes that take part

    request() {}  // leaves the addresses as they are
  };
  // A step has the mark of a texture fetch at no site.
  static constexpr std::uint64_t key_mask = 0x3ffff, step_mark = 0x30000;

  // Called for every access: inlined, however much its callers have been given already.
  [[gnu::always_inline]] bool add(int lane, std::uint64_t entry) { return lanes_[lane].add(entry); }
  static bool is_step(std::uint64_t entry) { return (entry & key_mask) == step_mark; }
  static bool is_event(std::uint64_t entry) { return is_step(entry) && entry >> 18 < 0x10000; }
  static bool same_place(std::uint64_t a, std::uint64_t b) {
    return (a & key_mask) == (b & key_mask) && (!is_step(a) || a == b);
  }
  /// What orders places: the address in the program, then the part of an access.
  static std::uint64_t position(std::uint64_t entry);
  std::size_t size_without_events(int lane) const;
  void fold_in_step(std::size_t longest, count_totals& totals);
  void fold_apart(count_totals& totals);
  void fold_with_steps(count_totals& totals);
  void count(std::uint32_t key, const request& r, count_totals& totals) const;

  lane_way lanes_[32];
  block_trace* record_ = nullptr;
  step_trace* steps_ = nullptr;
};

}  // namespace cuda_emulator

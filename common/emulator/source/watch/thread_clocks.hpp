// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What each thread of a block knows of the others, beyond what __syncthreads() and __syncwarp() tell all of
// them: through barriers in shared memory, where one thread arrives and another waits.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "device/device_limits.hpp"

namespace cuda_emulator {

/// What came before: of each thread the accesses before a time, and likewise of the copies that it has asked
/// for and that a barrier completes. Empty: nothing.
struct known_times {
  std::vector<std::uint64_t> of_threads, of_copies;

  void clear() {
    of_threads.clear();
    of_copies.clear();
  }
  void join(const known_times& other) {
    join(of_threads, other.of_threads);
    join(of_copies, other.of_copies);
  }
  static void raise(std::vector<std::uint64_t>& times, int thread, std::uint64_t time) {
    const auto t = static_cast<std::size_t>(thread);
    if (times.size() <= t) times.resize(t + 1);
    times[t] = std::max(times[t], time);
  }
  static std::uint64_t at(const std::vector<std::uint64_t>& times, int thread) {
    const auto t = static_cast<std::size_t>(thread);
    return t < times.size() ? times[t] : 0;
  }

 private:
  static void join(std::vector<std::uint64_t>& mine, const std::vector<std::uint64_t>& other) {
    if (mine.size() < other.size()) mine.resize(other.size());
    for (std::size_t i = 0; i < other.size(); ++i) mine[i] = std::max(mine[i], other[i]);
  }
};

/// Of the block that runs; not in use until it initializes a barrier.
class thread_clocks {
 public:
  void begin_block() {
    if (!used_) return;
    for (known_times& each : known_) each.clear();
    of_all_.clear();
    used_ = false;
  }
  void use() {
    make();
    used_ = true;
  }
  bool used() const { return used_; }
  known_times& of(int thread) {
    make();
    return known_[static_cast<std::size_t>(thread)];
  }
  /// Only where they are in use.
  const known_times& of(int thread) const { return known_[static_cast<std::size_t>(thread)]; }
  /// What the thread's copies did before this time comes before what `reader` does.
  std::uint64_t copies_known(int reader, int thread) const {
    return std::max(known_times::at(of(reader).of_copies, thread), known_times::at(of_all_, thread));
  }
  /// All threads have met: each knows of the copies that one of them knew of. (Of the threads themselves a
  /// barrier of the block tells anyway.)
  void barrier() {
    if (!used_) return;
    for (known_times& each : known_) {
      for (std::size_t i = 0; i < each.of_copies.size(); ++i)
        known_times::raise(of_all_, static_cast<int>(i), each.of_copies[i]);
      each.clear();
    }
  }
  /// `lanes` of a warp have met.
  void met(int warp, unsigned lanes) {
    if (!used_) return;
    known_times all;
    for (int lane = 0; lane < 32; ++lane)
      if ((lanes >> lane & 1) != 0) all.join(of(warp * 32 + lane));
    for (int lane = 0; lane < 32; ++lane)
      if ((lanes >> lane & 1) != 0) of(warp * 32 + lane) = all;
  }

 private:
  void make() {
    if (known_.empty()) known_.resize(limits::threads_per_block);
  }

  std::vector<known_times> known_;     // of all threads that a block may have; none before they are used
  std::vector<std::uint64_t> of_all_;  // as of_copies, for all threads
  bool used_ = false;
};

}  // namespace cuda_emulator

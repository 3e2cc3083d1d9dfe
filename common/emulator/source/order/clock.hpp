// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Vector clocks. A stream is a timeline, and each operation in it has the next tick. A clock says how far
// each timeline has come for certain when an operation begins.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace cuda_emulator {

struct epoch {
  std::uint32_t timeline = 0;
  std::uint64_t tick = 0;
};

class vector_clock {
 public:
  bool covers(const epoch& e) const { return e.timeline < ticks_.size() && ticks_[e.timeline] >= e.tick; }
  bool covers(const vector_clock& other) const {
    for (std::uint32_t t = 0; t < other.ticks_.size(); ++t)
      if (other.ticks_[t] != 0 && !covers(epoch{t, other.ticks_[t]})) return false;
    return true;
  }
  void reach(const epoch& e) {
    if (ticks_.size() <= e.timeline) ticks_.resize(e.timeline + 1);
    ticks_[e.timeline] = std::max(ticks_[e.timeline], e.tick);
  }
  void join(const vector_clock& other) {
    if (ticks_.size() < other.ticks_.size()) ticks_.resize(other.ticks_.size());
    for (std::size_t t = 0; t < other.ticks_.size(); ++t) ticks_[t] = std::max(ticks_[t], other.ticks_[t]);
  }
  std::uint64_t tick(std::uint32_t timeline) const { return timeline < ticks_.size() ? ticks_[timeline] : 0; }
  std::size_t timelines() const { return ticks_.size(); }

 private:
  std::vector<std::uint64_t> ticks_;
};

}  // namespace cuda_emulator

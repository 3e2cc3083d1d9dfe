// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Counters by which kernels of neighbors wait for each other: which ones to raise, and which to wait for.
#pragma once

#include <cstddef>
#include <vector>

#include "15_many_gpus/host/split.hpp"
#include "common/device/device_memory.hpp"

namespace tutorial {

/// In device memory. It only grows.
using flag_counter = unsigned long long;

inline constexpr int most_flag_parts = 16;

/// Samples that a part gets from one other part in each step.
struct flag_get {
  const flag_counter* arrived;  ///< How many have arrived. In own memory.
  flag_counter* taken;          ///< To be raised when they have been used. In the sender's memory.
  flag_counter samples;         ///< How many there are.
};
/// Samples that it gives to one other part.
struct flag_give {
  long long begin, end;       ///< Which ones: [begin, end), from its own first sample on.
  flag_counter* arrived;      ///< In the receiver's memory.
  const flag_counter* taken;  ///< In own memory.
};
/// All messages of a part.
struct flag_messages {
  int gets = 0, gives = 0;
  flag_get get[most_flag_parts - 1];
  flag_give give[most_flag_parts - 1];
};

/// The counters of all parts of a signal, at 0, each in the memory of the part that waits for it.
class part_flags {
 public:
  /// Part p is on devices[p]. Throws std::invalid_argument for more than most_flag_parts parts.
  part_flags(const signal_split& split, const std::vector<int>& devices);
  /// The messages of part p.
  const flag_messages& of(int p) const { return messages_[std::size_t(p)]; }

  flag_counter steps = 0;  ///< How many have been counted.

 private:
  std::vector<device_buffer<flag_counter>> memory_;
  std::vector<flag_messages> messages_;
};

}  // namespace tutorial

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What streams were told to do, as bytes over the host link. A device has three engines: one copies up, one
// copies down, one runs kernels. Each does one operation at a time, in the order in which the program gave
// them. An operation takes as many steps as it moves bytes over the link, and begins when its engine is free
// and what it has to wait for (streams, events, the host) has finished. So the last end is the number of
// bytes on the longest chain. These are no times: a kernel that uses no memory of the host takes no step.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "export.hpp"

namespace cuda_emulator {

enum class movement_kind { up, down, within, kernel, other };

struct movement {
  movement_kind kind = movement_kind::other;
  std::string what;    ///< "kernel scale_kernel", "cudaMemcpyAsync()"
  std::string place;   ///< "a.cu:12"
  std::string stream;  ///< "stream 2", "0"
  int device = 0;
  std::uint64_t up = 0, down = 0, within = 0;  ///< Bytes: over the link each way, copied within the device.
  std::uint64_t begin = 0, end = 0;            ///< Steps.
  bool of_graph = false;                       ///< A node of a graph that was launched.
  /// When it has finished, on a timeline of its stream; and how far all timelines have come before it begins.
  std::uint32_t timeline = 0;
  std::uint64_t tick = 0;
  std::vector<std::uint64_t> start;

  /// By streams, events and waits of the host: the other one has finished before this one begins.
  bool comes_after(const movement& other) const {
    return other.timeline < start.size() && start[other.timeline] >= other.tick;
  }
};

struct movement_list {
  std::vector<movement> operations;  ///< In the order in which the program gave them.
  std::uint64_t waits = 0;           ///< How often the host has waited for the device.
};

/// A report's timeline begins here: what came before is of no interest.
EMULATOR_API void begin_timeline();

/// Keeps what streams are told from here on; calls nest. Nothing is kept where the checks are off.
EMULATOR_API void begin_movements();
/// What came since the begin_movements() that belongs to this call. What came before counts as finished.
EMULATOR_API movement_list end_movements();

}  // namespace cuda_emulator

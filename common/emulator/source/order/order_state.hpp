// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// What streams.cpp and work.cpp share.
#pragma once

#include <atomic>
#include <mutex>
#include <set>
#include <vector>

#include "accesses.hpp"
#include "device/devices.hpp"
#include "streams.hpp"

namespace cuda_emulator {

struct order_state {
  std::mutex mutex;
  CUstream_st default_streams[most_devices];
  vector_clock gone[most_devices];  ///< What streams that were destroyed had to do.
  std::set<CUstream_st*> streams;   ///< All others.
  std::set<const CUevent_st*> events;
  std::vector<std::uint64_t> last;              ///< The last tick of each timeline.
  std::vector<std::uint32_t> free_timelines{};  ///< Of streams that are gone, and whose work is waited for.
  vector_clock host;                            ///< What the host has waited for.
  access_map accesses;

  order_state();
  std::uint32_t new_timeline();
  /// What an operation in the stream comes after.
  vector_clock before(const CUstream_st& stream) const;
  /// What the device was given so far.
  vector_clock all_of(int device) const;
  void host_reaches(const vector_clock& clock);
};

/// Never destroyed: programs may use streams until the very end.
order_state& the_order();

/// There are streams besides the default one: all memory is of interest. Else only what the host can use.
extern std::atomic<bool> several_streams;
/// There is memory that host and device use: pinned, registered or managed.
extern std::atomic<bool> memory_of_both;
/// Counts whatever changes what is ordered.
extern std::atomic<std::uint64_t> order_version;

}  // namespace cuda_emulator

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// This chapter's versions.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "15_many_gpus/host/spread_signal.hpp"
#include "common/program/pictures.hpp"

namespace tutorial {

namespace versions {

inline constexpr version_name no_exchange{"15", "no_exchange", "no exchange: wrong at the seams"};
inline constexpr version_name copies_and_events{"15", "copies_and_events",
                                                "one thread: copies between devices, ordered by events"};
inline constexpr version_name from_next_door{"15", "from_next_door",
                                             "one thread: kernels load from the memory next door"};
inline constexpr version_name flags_between{
    "15", "flags_between", "a thread for each device: small kernels push halos and wait for flags"};
inline constexpr version_name flags_in_kernel{
    "15", "flags_in_kernel", "a thread for each device: one kernel a step pushes and waits itself"};
inline constexpr version_name nccl_group{"15", "nccl_group",
                                         "one thread: NCCL, all calls of a step in a group"};
inline constexpr version_name thread_per_device{"15", "thread_per_device", "NCCL, a thread for each device"};
inline constexpr version_name beside_interior{
    "15", "beside_interior", "NCCL beside the outputs that need no halo, a thread for each device"};
inline constexpr version_name several_steps{
    "15", "several_steps", "NCCL, a wider halo for every four steps, a thread for each device"};

inline constexpr version_name from_host{
    "15", "from_host", "a signal on the host: each device filters its share of chunks, there and back"};
inline constexpr version_name by_rows{"15", "by_rows", "a picture by rows of 8x8 blocks: no exchange"};
inline constexpr version_name file_by_rows{
    "15", "file_by_rows", "a JPEG file by rows: restart markers make parts that are joined as they are"};

inline constexpr version_name all_spread[] = {no_exchange,       copies_and_events, from_next_door,
                                              flags_between,     flags_in_kernel,   nccl_group,
                                              thread_per_device, beside_interior,   several_steps};
inline constexpr version_name all_apart[] = {from_host, by_rows, file_by_rows};

}  // namespace versions

/// A version for signals on certain devices.
template <class T>
struct spread_version {
  version_name name;
  bool needs_devices = false;  ///< Each part needs a device of its own.
  std::function<void(spread_signal<T>& signal, int steps)> filter = {};
  std::size_t steps_each = 1;  ///< What the signal is to be made with.
};

/// Those that need CUDA only, all right but the first, and of them those that work on these devices: some
/// cannot reach each other's memory, or cannot add to it.
template <class T>
std::vector<spread_version<T>> spread_versions(std::span<const int> devices);

/// Those that need NCCL, ready for signals of which part p lies on devices[p]; none where this build was made
/// without NCCL, or where a device is named twice.
template <class T>
std::vector<spread_version<T>> nccl_versions(std::span<const int> devices);

/// Both.
template <class T>
std::vector<spread_version<T>> all_spread_versions(std::span<const int> devices) {
  std::vector<spread_version<T>> all = spread_versions<T>(devices);
  for (spread_version<T>& each : nccl_versions<T>(devices)) all.push_back(std::move(each));
  return all;
}

}  // namespace tutorial

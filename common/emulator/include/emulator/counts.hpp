// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What kernels did, counted exactly. The names and units are those of common/device/device.hpp.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "export.hpp"

namespace cuda_emulator {

struct kernel_counts {
  std::string kernel;
  unsigned grid[3] = {}, block[3] = {};
  std::uint64_t threads = 0;
  std::uint64_t global_loads = 0, global_load_bytes = 0, global_stores = 0, global_store_bytes = 0;
  std::uint64_t shared_loads = 0, shared_load_bytes = 0, shared_stores = 0, shared_store_bytes = 0;
  std::uint64_t constant_loads = 0, constant_load_bytes = 0, constant_requests = 0, constant_addresses = 0;
  std::uint64_t texture_fetches = 0;
  std::uint64_t barriers = 0;
  /// Over the link between devices: by kernels that use another device's memory, by copies and by NCCL.
  std::uint64_t peer_load_bytes = 0, peer_store_bytes = 0;
  std::uint64_t global_load_requests = 0, global_load_sectors = 0;
  std::uint64_t global_store_requests = 0, global_store_sectors = 0;
  std::uint64_t shared_load_requests = 0, shared_load_wavefronts = 0;
  std::uint64_t shared_store_requests = 0, shared_store_wavefronts = 0;
  // Global loads by threads that store nothing: warps in which no thread stores, and, in the others, lanes
  // that store in another warp of the launch. The first ones: the block's index in the grid, and the warp in
  // it.
  std::uint64_t idle_warps = 0, idle_warp_loads = 0, idle_warp_block = 0, idle_lane_loads = 0,
                idle_lane_block = 0;
  unsigned idle_warp = 0, idle_lanes_warp = 0;
  std::uint32_t idle_lanes = 0;  ///< A bit for each of those in the first such warp.
  // Basic blocks that one thread began, and accesses that it made, of the thread with the most of them: with
  // another compiler they are others.
  std::uint64_t longest_way = 0;
  /// From shared memory, by threads that have copies under way to it.
  std::uint64_t loads_beside_copies = 0;
};

/// Keeps the counts of every launch from here on; calls nest.
EMULATOR_API void begin_counting();
/// The launches since the begin_counting() that belongs to this call, in order.
EMULATOR_API std::vector<kernel_counts> end_counting();

}  // namespace cuda_emulator

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What a block or a launch did, in numbers.
#pragma once

#include <cstdint>

namespace cuda_emulator {

/// Texture fetches are remembered, for the order of things and for traces, and not counted: what is counted
/// "by space" has the first three.
enum class space : std::uint8_t { global, shared, constant, texture };

/// Loads from global memory by threads that store nothing: nowhere, and change nothing by an atomic. Warps
/// are numbered through the grid, 32 to a block.
struct idle_totals {
  static constexpr std::uint64_t none = ~std::uint64_t{0};
  std::uint64_t warps = 0, warp_loads = 0, first_warp = none;  ///< None of whose threads stores.
  // Of each lane, in warps of which others store.
  std::uint64_t lane_loads[32] = {}, lane_first_warp[32];
  std::uint32_t lanes_that_store = 0;  ///< In any warp of the launch.

  idle_totals() {
    for (std::uint64_t& each : lane_first_warp) each = none;
  }
  /// One warp: the loads of each of its lanes, and which of them have stored.
  void add_warp(std::uint64_t warp, const std::uint32_t (&loads)[32], std::uint32_t stored);
  void add(const idle_totals& other);
};

/// Without names.
struct count_totals {
  std::uint64_t loads[3] = {}, load_bytes[3] = {}, stores[3] = {}, store_bytes[3] = {};  // by space
  std::uint64_t load_requests[3] = {}, store_requests[3] = {};
  std::uint64_t load_parts[3] = {}, store_parts[3] = {};  // sectors, wavefronts, distinct addresses
  std::uint64_t texture_fetches = 0;
  std::uint64_t barriers = 0;
  std::uint64_t peer_load_bytes = 0, peer_store_bytes = 0;  // of those, in memory of other devices
  std::uint64_t longest_way = 0, loads_beside_copies = 0;   // see kernel_counts
  idle_totals idle{};
  void add(const count_totals& other);
};

}  // namespace cuda_emulator

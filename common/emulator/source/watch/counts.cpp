// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "counts.hpp"

#include <algorithm>

namespace cuda_emulator {

void idle_totals::add_warp(std::uint64_t warp, const std::uint32_t (&loads)[32], std::uint32_t stored) {
  lanes_that_store |= stored;
  std::uint64_t all = 0;
  for (int lane = 0; lane < 32; ++lane) {
    all += loads[lane];
    if (stored == 0 || (stored >> lane & 1) != 0 || loads[lane] == 0) continue;
    lane_loads[lane] += loads[lane];
    lane_first_warp[lane] = std::min(lane_first_warp[lane], warp);
  }
  if (stored != 0 || all == 0) return;
  ++warps;
  warp_loads += all;
  first_warp = std::min(first_warp, warp);
}

void idle_totals::add(const idle_totals& other) {
  warps += other.warps;
  warp_loads += other.warp_loads;
  first_warp = std::min(first_warp, other.first_warp);
  lanes_that_store |= other.lanes_that_store;
  for (int lane = 0; lane < 32; ++lane) {
    lane_loads[lane] += other.lane_loads[lane];
    lane_first_warp[lane] = std::min(lane_first_warp[lane], other.lane_first_warp[lane]);
  }
}

void count_totals::add(const count_totals& other) {
  for (int s = 0; s < 3; ++s) {
    loads[s] += other.loads[s];
    load_bytes[s] += other.load_bytes[s];
    stores[s] += other.stores[s];
    store_bytes[s] += other.store_bytes[s];
    load_requests[s] += other.load_requests[s];
    store_requests[s] += other.store_requests[s];
    load_parts[s] += other.load_parts[s];
    store_parts[s] += other.store_parts[s];
  }
  texture_fetches += other.texture_fetches;
  barriers += other.barriers;
  peer_load_bytes += other.peer_load_bytes;
  peer_store_bytes += other.peer_store_bytes;
  longest_way = std::max(longest_way, other.longest_way);
  loads_beside_copies += other.loads_beside_copies;
  idle.add(other.idle);
}

}  // namespace cuda_emulator

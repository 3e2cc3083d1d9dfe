// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "launch_log.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

#include "emulator/counts.hpp"
#include "order/pending.hpp"
#include "tell/report.hpp"

namespace cuda_emulator {
namespace {
std::mutex mutex;
std::vector<kernel_counts> log;
std::vector<std::size_t> begins;  // one for each begin_counting() that has not ended

void add_idle(const idle_totals& idle, kernel_counts& to) {
  to.idle_warps = idle.warps;
  to.idle_warp_loads = idle.warp_loads;
  if (idle.warps != 0) {
    to.idle_warp_block = idle.first_warp / 32;
    to.idle_warp = static_cast<unsigned>(idle.first_warp % 32);
  }
  std::uint64_t first = idle_totals::none;
  const auto is_spare = [&](int lane) {
    return (idle.lanes_that_store >> lane & 1) != 0 && idle.lane_loads[lane] != 0;
  };
  for (int lane = 0; lane < 32; ++lane) {
    if (!is_spare(lane)) continue;
    to.idle_lane_loads += idle.lane_loads[lane];
    first = std::min(first, idle.lane_first_warp[lane]);
  }
  if (first == idle_totals::none) return;
  to.idle_lane_block = first / 32;
  to.idle_lanes_warp = static_cast<unsigned>(first % 32);
  for (int lane = 0; lane < 32; ++lane)
    if (is_spare(lane) && idle.lane_first_warp[lane] == first) to.idle_lanes |= 1u << lane;
}
}  // namespace

void begin_counting() {
  run_kept();
  const std::lock_guard lock(mutex);
  begins.push_back(log.size());
}

std::vector<kernel_counts> end_counting() {
  run_kept();
  const std::lock_guard lock(mutex);
  if (begins.empty()) return {};
  std::vector<kernel_counts> result(log.begin() + static_cast<std::ptrdiff_t>(begins.back()), log.end());
  begins.pop_back();
  if (begins.empty()) log.clear();
  return result;
}

void log_launch(const launch_state& launch) {
  const std::lock_guard lock(mutex);
  if (begins.empty()) return;
  const dim3 grid = launch.grid(), block = launch.block();
  const count_totals& t = launch.counts;
  constexpr auto g = static_cast<int>(space::global), s = static_cast<int>(space::shared),
                 c = static_cast<int>(space::constant);
  kernel_counts counts{.kernel = launch.kernel.name,
                       .grid = {grid.x, grid.y, grid.z},
                       .block = {block.x, block.y, block.z},
                       .threads = launch.blocks * static_cast<std::uint64_t>(launch.threads_per_block),
                       .global_loads = t.loads[g],
                       .global_load_bytes = t.load_bytes[g],
                       .global_stores = t.stores[g],
                       .global_store_bytes = t.store_bytes[g],
                       .shared_loads = t.loads[s],
                       .shared_load_bytes = t.load_bytes[s],
                       .shared_stores = t.stores[s],
                       .shared_store_bytes = t.store_bytes[s],
                       .constant_loads = t.loads[c],
                       .constant_load_bytes = t.load_bytes[c],
                       .constant_requests = t.load_requests[c],
                       .constant_addresses = t.load_parts[c],
                       .texture_fetches = t.texture_fetches,
                       .barriers = t.barriers,
                       .peer_load_bytes = t.peer_load_bytes,
                       .peer_store_bytes = t.peer_store_bytes,
                       .global_load_requests = t.load_requests[g],
                       .global_load_sectors = t.load_parts[g],
                       .global_store_requests = t.store_requests[g],
                       .global_store_sectors = t.store_parts[g],
                       .shared_load_requests = t.load_requests[s],
                       .shared_load_wavefronts = t.load_parts[s],
                       .shared_store_requests = t.store_requests[s],
                       .shared_store_wavefronts = t.store_parts[s],
                       .longest_way = t.longest_way,
                       .loads_beside_copies = t.loads_beside_copies};
  add_idle(t.idle, counts);
  log.push_back(std::move(counts));
}

void log_library_call(std::string name, std::uint64_t link_bytes) {
  report_library_call(name, link_bytes);
  const std::lock_guard lock(mutex);
  if (begins.empty()) return;
  kernel_counts counts;
  counts.kernel = std::move(name);
  counts.peer_store_bytes = link_bytes;
  log.push_back(std::move(counts));
}

}  // namespace cuda_emulator

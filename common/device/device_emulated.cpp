// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// common/device/device.hpp for the emulated device.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <map>
#include <utility>

#include "device.hpp"
#include "emulator/control.hpp"
#include "emulator/counts.hpp"
#include "emulator/movements.hpp"
#include "movement_counts.hpp"
#include "thread_work.hpp"

namespace tutorial {
namespace {

std::string warp_text(const cuda_emulator::kernel_counts& c, std::uint64_t block, unsigned warp) {
  const auto x = block % c.grid[0], y = block / c.grid[0] % c.grid[1], z = block / c.grid[0] / c.grid[1];
  return "warp " + std::to_string(warp) + " of block (" + std::to_string(x) + ", " + std::to_string(y) +
         ", " + std::to_string(z) + ")";
}

/// "lanes 3 to 5, 9"; of many, "lanes 1 to 2, 4 to 5, 7 to 8 and 15 more"
std::string lanes_text(std::uint32_t lanes) {
  std::string text = std::popcount(lanes) == 1 ? "lane " : "lanes ";
  int stretches = 0;
  for (int lane = 0; lane < 32; ++lane) {
    if ((lanes >> lane & 1) == 0) continue;
    int last = lane;
    while (last < 31 && (lanes >> (last + 1) & 1) != 0) ++last;
    if (++stretches > 3) return text + " and " + std::to_string(std::popcount(lanes >> lane)) + " more";
    text += (stretches == 1 ? "" : ", ") + std::to_string(lane) +
            (last == lane ? "" : " to " + std::to_string(last));
    lane = last;
  }
  return text;
}

std::string idle_text(const cuda_emulator::kernel_counts& c) {
  std::string text;
  if (c.idle_warps != 0)
    text = std::to_string(c.idle_warp_loads) + " are made by " + std::to_string(c.idle_warps) +
           (c.idle_warps == 1 ? " warp that stores nothing" : " warps that store nothing") +
           " (the first: " + warp_text(c, c.idle_warp_block, c.idle_warp) + ")";
  if (c.idle_lanes != 0)
    text += (text.empty() ? "" : ", and ") + std::to_string(c.idle_lane_loads) +
            " are made by lanes that store nothing while the rest of their warp does (the first: " +
            lanes_text(c.idle_lanes) + " of " + warp_text(c, c.idle_lane_block, c.idle_lanes_warp) + ")";
  return text;
}

/// What `work` gives to streams. Ends also where it throws.
cuda_emulator::movement_list moved_by(const std::function<void()>& work) {
  cuda_emulator::begin_movements();
  try {
    work();
  } catch (...) {
    cuda_emulator::end_movements();
    throw;
  }
  return cuda_emulator::end_movements();
}

/// What `work` launches. Ends counting also where it throws.
std::vector<cuda_emulator::kernel_counts> counted(const std::function<void()>& work,
                                                  counted_blocks blocks = counted_blocks::together) {
  struct workers_as_before {
    const int workers = cuda_emulator::threads();
    ~workers_as_before() { cuda_emulator::set_threads(workers); }
  } workers_as_before;
  if (blocks == counted_blocks::one_by_one) cuda_emulator::set_threads(1);
  cuda_emulator::begin_counting();
  try {
    work();
  } catch (...) {
    cuda_emulator::end_counting();
    throw;
  }
  return cuda_emulator::end_counting();
}

}  // namespace

device_facts current_device() {
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0);
  std::size_t free = 0, total = 0;
  cudaMemGetInfo(&free, &total);
  return {.name = "emulated device (like an NVIDIA H200)",
          .emulated = true,
          .multiprocessors = properties.multiProcessorCount,
          .l2_bytes = static_cast<std::size_t>(properties.l2CacheSize),
          .free_bytes = free};
}

std::string why_failed(int error) { return cuda_emulator::why_failed(static_cast<cudaError_t>(error)); }

bool trace_launches(const std::filesystem::path& file) {
  cuda_emulator::set_trace(file.c_str());
  return true;
}

bool report_launches(const std::filesystem::path& file) {
  cuda_emulator::set_report(file.c_str());
  return true;
}

std::string short_write(const std::string& file) { return cuda_emulator::short_write(file.c_str()); }
std::string places_on_the_way() { return cuda_emulator::places_on_the_way(); }
void forget_errors() { cuda_emulator::forget_errors(); }

std::uint64_t next_launch() { return cuda_emulator::next_launch(); }
void keep_launches() { cuda_emulator::keep_launches(); }
void begin_timeline() { cuda_emulator::begin_timeline(); }

std::vector<shown_launch> show_launches(std::uint64_t first, std::uint64_t last, const std::string& why,
                                        const std::string& view, const std::filesystem::path& trace) {
  std::vector<shown_launch> result;
  for (cuda_emulator::shown_launch& each : cuda_emulator::show_launches(
           first, last, why.c_str(), view.c_str(), trace.empty() ? nullptr : trace.c_str()))
    result.push_back({each.number, std::move(each.kernel), std::move(each.place), std::move(each.launched_at),
                      std::move(each.view), std::move(each.options)});
  return result;
}

namespace {

void (*finding_listener)(const device_finding&) = nullptr;

device_finding in_names(const cuda_emulator::finding& found, std::uint64_t launch) {
  device_finding result{found.what(), launch, {}};
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) result.facts.emplace_back(name, value);
  };
  const cuda_emulator::finding_facts& facts = found.facts();
  add("kind", name_of(found.kind()));
  add("title", facts.title);
  add("usual_cause", facts.usual_cause);
  add("kernel", facts.kernel);
  add("launched_at", facts.launched_at);
  for (const cuda_emulator::finding_access& each : facts.accesses) {
    add("does", each.does);
    add("place", each.place);
    add("called_at", each.called_at);
    add("thread", each.thread);
    add("block", each.block);
  }
  add("space", facts.space);
  add("array", facts.array);
  add("index", facts.index);
  if (facts.elements > 0) add("elements", std::to_string(facts.elements));
  if (facts.begins_at > 0) add("begins_at", std::to_string(facts.begins_at));
  add("made_at", facts.made_at);
  add("cause", name_of(facts.cause));
  add("cause_at", facts.cause_at);
  return result;
}

}  // namespace

void hear_findings(void (*listener)(const device_finding& found)) {
  finding_listener = listener;
  cuda_emulator::hear_findings([](const cuda_emulator::finding& found, std::uint64_t launch) {
    finding_listener(in_names(found, launch));
  });
}
void hear_notes(void (*listener)(const char* kind, const char* place, const char* text)) {
  cuda_emulator::hear_notes(listener);
}

unseen_launches::unseen_launches() { cuda_emulator::set_unseen(true); }
unseen_launches::~unseen_launches() { cuda_emulator::set_unseen(false); }

bool counts_launches() { return cuda_emulator::counting(); }

std::vector<launch_counts> count_launches(const std::function<void()>& work, counted_blocks blocks) {
  std::vector<launch_counts> launches;
  for (const cuda_emulator::kernel_counts& c : counted(work, blocks)) {
    launch_counts each;
    each.kernel = c.kernel;
    std::copy(std::begin(c.grid), std::end(c.grid), each.grid);
    std::copy(std::begin(c.block), std::end(c.block), each.block);
    each.launches = 1;
    each.threads = c.threads;
    each.global_loads = c.global_loads;
    each.global_load_bytes = c.global_load_bytes;
    each.global_stores = c.global_stores;
    each.global_store_bytes = c.global_store_bytes;
    each.shared_loads = c.shared_loads;
    each.shared_load_bytes = c.shared_load_bytes;
    each.shared_stores = c.shared_stores;
    each.shared_store_bytes = c.shared_store_bytes;
    each.constant_loads = c.constant_loads;
    each.constant_load_bytes = c.constant_load_bytes;
    each.constant_requests = c.constant_requests;
    each.constant_addresses = c.constant_addresses;
    each.texture_fetches = c.texture_fetches;
    each.barriers = c.barriers;
    each.global_load_requests = c.global_load_requests;
    each.global_load_sectors = c.global_load_sectors;
    each.global_store_requests = c.global_store_requests;
    each.global_store_sectors = c.global_store_sectors;
    each.shared_load_requests = c.shared_load_requests;
    each.shared_store_requests = c.shared_store_requests;
    each.shared_load_wavefronts = c.shared_load_wavefronts;
    each.shared_store_wavefronts = c.shared_store_wavefronts;
    each.idle = idle_text(c);
    launches.push_back(each);
  }
  return launches;
}

std::optional<thread_work> count_thread_work(const std::function<void()>& work) {
  if (!counts_launches()) {
    work();
    return std::nullopt;
  }
  thread_work all;
  for (const cuda_emulator::kernel_counts& each : counted(work)) {
    if (each.threads == 0) continue;  // a library's call
    ++all.launches;
    all.longest_way = std::max(all.longest_way, each.longest_way);
    all.loads_beside_copies += each.loads_beside_copies;
  }
  return all;
}

std::vector<kernel_work> count_kernel_work(const std::function<void()>& work) {
  std::map<std::string, kernel_work> kernels;
  for (const cuda_emulator::kernel_counts& c : counted(work)) {
    if (c.threads == 0) continue;  // a library's call
    kernel_work& all = kernels[c.kernel];
    const std::uint64_t accesses = c.global_loads + c.global_stores + c.shared_loads + c.shared_stores;
    all.kernel = c.kernel;
    ++all.launches;
    if (accesses >= 64) ++(c.longest_way >= accesses ? all.alone : all.shared);
  }
  std::vector<kernel_work> result;
  for (const auto& [name, all] : kernels) result.push_back(all);
  return result;
}

std::vector<moved_operation> list_movements(const std::function<void()>& work) {
  if (!cuda_emulator::checking()) {
    work();
    return {};
  }
  const std::vector<cuda_emulator::movement> all = moved_by(work).operations;
  std::vector<moved_operation> result;
  for (const cuda_emulator::movement& each : all) {
    using enum moved_operation::kind;
    const auto kind = each.kind == cuda_emulator::movement_kind::up       ? up
                      : each.kind == cuda_emulator::movement_kind::down   ? down
                      : each.kind == cuda_emulator::movement_kind::kernel ? kernel
                                                                          : other;
    moved_operation& one = result.emplace_back(moved_operation{kind, each.device, each.of_graph, {}});
    for (std::size_t i = 0; i + 1 < result.size(); ++i) one.after.push_back(each.comes_after(all[i]));
  }
  return result;
}

std::optional<movement_counts> count_movements(const std::function<void()>& work) {
  if (!cuda_emulator::checking()) {
    work();
    return std::nullopt;
  }
  movement_counts counts;
  cuda_emulator::movement_list moved;
  for (const cuda_emulator::kernel_counts& each : counted([&] { moved = moved_by(work); })) {
    const std::uint64_t between = each.peer_load_bytes + each.peer_store_bytes;
    counts.bytes_between += between;
    counts.messages += between > 0 && each.threads == 0;  // no kernel
  }
  counts.waits = moved.waits;
  for (const cuda_emulator::movement& each : moved.operations) {
    using enum cuda_emulator::movement_kind;
    counts.bytes_up += each.up;
    counts.bytes_down += each.down;
    counts.bytes_within += each.within;
    counts.copies += each.kind == up || each.kind == down;
    counts.kernels += each.kind == kernel;
    counts.longest_chain = std::max(counts.longest_chain, each.end);
  }
  return counts;
}

}  // namespace tutorial

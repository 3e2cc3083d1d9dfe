// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "movements.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <utility>

#include "memory/device_memory.hpp"
#include "memory/registered_ranges.hpp"

namespace cuda_emulator {
namespace {

constexpr std::size_t most_written = 10'000;  // operations in the file of EMULATOR_TIMELINE

struct kept_operation {
  movement what;
  epoch at;
  vector_clock start;
};

struct start_of_list {
  std::size_t operation;
  std::uint64_t waits;
};

// Never destroyed: the file is written when the program's objects are gone.
std::mutex& movements_mutex = *new std::mutex;
std::vector<kept_operation>& kept = *new std::vector<kept_operation>;
std::map<std::pair<std::uint32_t, std::uint64_t>, std::size_t>& by_epoch =
    *new std::map<std::pair<std::uint32_t, std::uint64_t>, std::size_t>;
std::vector<start_of_list> begins;
std::uint64_t waits = 0;

const char* wanted_file() {
  const char* const file = std::getenv("EMULATOR_TIMELINE");
  return file != nullptr && *file != '\0' ? file : nullptr;
}

// Asked for before the first operation.
std::atomic<bool> somebody_asked = wanted_file() != nullptr;

movement_kind kind_of(const operation& op) {
  const bool transforms = op.what.starts_with("cufft") && !op.what.starts_with("cufftXtMemcpy");
  return transforms || op.what.starts_with("kernel ") ? movement_kind::kernel : movement_kind::other;
}

/// When each operation begins and ends, if those before `first` have finished.
movement_list scheduled(std::size_t first) {
  movement_list result;
  // Of each timeline: tick and end of its operations, both growing.
  std::vector<std::vector<std::pair<std::uint64_t, std::uint64_t>>> ends;
  std::uint64_t free_at[3] = {};  // up, down, kernels
  for (std::size_t i = first; i < kept.size(); ++i) {
    const auto& [what, at, start] = kept[i];
    std::uint64_t ready = 0;
    for (std::uint32_t t = 0; t < ends.size() && t < start.timelines(); ++t) {
      const auto after =
          std::upper_bound(ends[t].begin(), ends[t].end(), std::pair(start.tick(t), ~std::uint64_t{0}));
      if (after != ends[t].begin()) ready = std::max(ready, std::prev(after)->second);
    }
    const bool uses[3] = {what.up != 0, what.down != 0, what.kind == movement_kind::kernel};
    for (int e = 0; e < 3; ++e)
      if (uses[e]) ready = std::max(ready, free_at[e]);
    movement& done = result.operations.emplace_back(what);
    done.timeline = at.timeline;
    done.tick = at.tick;
    for (std::uint32_t t = 0; t < start.timelines(); ++t) done.start.push_back(start.tick(t));
    done.begin = ready;
    done.end = ready + std::max(what.up, what.down);
    for (int e = 0; e < 3; ++e)
      if (uses[e]) free_at[e] = done.end;
    if (ends.size() <= at.timeline) ends.resize(at.timeline + 1);
    auto& mine = ends[at.timeline];
    mine.emplace_back(at.tick, mine.empty() ? done.end : std::max(done.end, mine.back().second));
  }
  return result;
}

template <class Change>
void change(const operation* op, const Change& change) {
  if (op == nullptr || !movements_kept()) return;
  const std::lock_guard lock(movements_mutex);
  const auto found = by_epoch.find({op->at.timeline, op->at.tick});
  if (found != by_epoch.end()) change(kept[found->second].what);
}

bool of_host(const void* address) {
  const auto found = device_memory::instance().find(address);
  return found ? found->kind == allocation_kind::host : registered_at(address).has_value();
}

std::uint64_t count(const byte_set& bytes) {
  std::uint64_t total = 0;
  for (const std::uint64_t word : bytes.words) total += static_cast<std::uint64_t>(std::popcount(word));
  return total;
}

}  // namespace

bool movements_kept() { return somebody_asked.load(std::memory_order_relaxed); }

void begin_movements() {
  const std::lock_guard lock(movements_mutex);
  begins.push_back({kept.size(), waits});
  somebody_asked = true;
}

movement_list end_movements() {
  const std::lock_guard lock(movements_mutex);
  if (begins.empty()) return {};
  movement_list result = scheduled(begins.back().operation);
  result.waits = waits - begins.back().waits;
  begins.pop_back();
  if (begins.empty() && wanted_file() == nullptr) {
    somebody_asked = false;
    kept.clear();
    by_epoch.clear();
  }
  return result;
}

void note_operation(const operation& op) {
  if (!movements_kept()) return;
  const std::lock_guard lock(movements_mutex);
  by_epoch[{op.at.timeline, op.at.tick}] = kept.size();
  kept.push_back({{.kind = kind_of(op),
                   .what = op.what,
                   .place = op.place(),
                   .stream = op.stream != nullptr ? op.stream->argument() : "0",
                   .device = op.device,
                   .of_graph = !op.graph_at.empty(),
                   .start = {}},
                  op.at,
                  op.start});
}

void note_moved(const operation* op, std::uint64_t up, std::uint64_t down, std::uint64_t within) {
  change(op, [&](movement& of) {
    of.up += up;
    of.down += down;
    of.within += within;
    of.kind = up != 0 ? movement_kind::up : down != 0 ? movement_kind::down : movement_kind::within;
  });
}

void note_touched(const operation* op, const std::vector<std::unique_ptr<touched_pages>>& touched) {
  if (op == nullptr || !movements_kept()) return;
  // Several workers may have touched the same byte.
  std::map<std::pair<std::uint64_t, bool>, byte_set> all;
  for (const auto& each : touched)
    each->for_each([&](std::uint64_t page, const touch_mark& how, const byte_set& bytes) {
      if (!of_host(reinterpret_cast<const void*>(page * bytes_per_page))) {
        // The first byte of a page may lie before an allocation that begins in it.
        std::size_t first = 0;
        while (bytes.words[first] == 0) ++first;
        if (!of_host(reinterpret_cast<const void*>(
                page * bytes_per_page + first * 64 +
                static_cast<std::size_t>(std::countr_zero(bytes.words[first])))))
          return;
      }
      for (const bool writes : {false, true}) {
        if (how.kind == (writes ? touch_kind::read : touch_kind::write)) continue;
        byte_set& sum = all[{page, writes}];
        for (std::size_t w = 0; w < sum.words.size(); ++w) sum.words[w] |= bytes.words[w];
      }
    });
  std::uint64_t up = 0, down = 0;
  for (const auto& [where, bytes] : all) (where.second ? down : up) += count(bytes);
  change(op, [&](movement& of) { of.up += up, of.down += down; });
}

void note_used(const operation* op, const void* begin, std::size_t bytes, bool writes) {
  if (op == nullptr || !movements_kept() || !of_host(begin)) return;
  change(op, [&](movement& of) { (writes ? of.down : of.up) += bytes; });
}

void note_wait() {
  if (!movements_kept()) return;
  const std::lock_guard lock(movements_mutex);
  ++waits;
}

void write_timeline() {
  const char* const file = wanted_file();
  if (file == nullptr) return;
  const std::lock_guard lock(movements_mutex);
  std::FILE* const out = std::fopen(file, "w");
  if (out == nullptr) {
    std::fprintf(stderr, "emulated device: the timeline cannot be written: %s\n", file);
    return;
  }
  constexpr const char* kinds[] = {"up", "down", "within", "kernel", "other"};
  const movement_list all = scheduled(0);
  std::fprintf(out, "emulator-timeline 1\n");
  for (std::size_t i = 0; i < all.operations.size() && i < most_written; ++i) {
    const movement& each = all.operations[i];
    std::fprintf(out, "%s begin %llu end %llu up %llu down %llu within %llu in %s at %s: %s\n",
                 kinds[static_cast<int>(each.kind)], static_cast<unsigned long long>(each.begin),
                 static_cast<unsigned long long>(each.end), static_cast<unsigned long long>(each.up),
                 static_cast<unsigned long long>(each.down), static_cast<unsigned long long>(each.within),
                 each.stream.c_str(), each.place.empty() ? "-" : each.place.c_str(), each.what.c_str());
  }
  std::fprintf(out, "end %zu waits %llu%s\n", all.operations.size(), static_cast<unsigned long long>(waits),
               all.operations.size() > most_written ? " cut" : "");
  std::fclose(out);
}

}  // namespace cuda_emulator

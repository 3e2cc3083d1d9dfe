// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "movements.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "device/devices.hpp"
#include "memory/device_memory.hpp"
#include "memory/registered_ranges.hpp"
#include "order_state.hpp"
#include "tell/report.hpp"

namespace cuda_emulator {
namespace {

constexpr std::size_t most_written = 10'000;  // operations in the file of EMULATOR_TIMELINE, or for a report
constexpr std::size_t most_reported = 150;    // operations in the timeline of a report: the last ones

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
std::size_t timeline_begin = 0;  // of a report

const char* wanted_file() {
  const char* const file = std::getenv("EMULATOR_TIMELINE");
  return file != nullptr && *file != '\0' ? file : nullptr;
}

// Asked for before the first operation.
std::atomic<bool> somebody_asked = wanted_file() != nullptr;

/// A report has a timeline as soon as there is more than one stream.
bool report_asks() { return several_streams.load(std::memory_order_relaxed) && report_is_wanted(); }

/// Those who have asked hold on to nothing of what is kept.
void forget_unless_wanted() {
  if (!begins.empty() || wanted_file() != nullptr || report_asks()) return;
  somebody_asked = false;
  kept.clear();
  by_epoch.clear();
}

movement_kind kind_of(const operation& op) {
  const bool transforms = op.what.starts_with("cufft") && !op.what.starts_with("cufftXtMemcpy");
  return transforms || op.what.starts_with("kernel ") ? movement_kind::kernel : movement_kind::other;
}

/// When each operation begins and ends, if those before `first` have finished. `copies_within`: whether a
/// copy that does not use the link to the host takes steps, too.
movement_list scheduled(std::size_t first, bool copies_within = false) {
  movement_list result;
  // Of each timeline: tick and end of its operations, both growing.
  std::vector<std::vector<std::pair<std::uint64_t, std::uint64_t>>> ends;
  std::map<int, std::array<std::uint64_t, 3>> engines;  // of each device: when up, down, kernels are free
  for (std::size_t i = first; i < kept.size(); ++i) {
    const auto& [what, at, start] = kept[i];
    std::uint64_t ready = 0;
    for (std::uint32_t t = 0; t < ends.size() && t < start.timelines(); ++t) {
      const auto after =
          std::upper_bound(ends[t].begin(), ends[t].end(), std::pair(start.tick(t), ~std::uint64_t{0}));
      if (after != ends[t].begin()) ready = std::max(ready, std::prev(after)->second);
    }
    std::array<std::uint64_t, 3>& free_at = engines[what.device];
    const bool uses[3] = {what.up != 0, what.down != 0, what.kind == movement_kind::kernel};
    for (int e = 0; e < 3; ++e)
      if (uses[e]) ready = std::max(ready, free_at[e]);
    movement& done = result.operations.emplace_back(what);
    done.timeline = at.timeline;
    done.tick = at.tick;
    for (std::uint32_t t = 0; t < start.timelines(); ++t) done.start.push_back(start.tick(t));
    done.begin = ready;
    const bool copies = copies_within && what.what.starts_with("cudaMemcpy");
    done.end = ready + std::max({what.up, what.down, copies ? what.within : 0});
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

bool movements_kept() { return somebody_asked.load(std::memory_order_relaxed) || report_asks(); }

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
  forget_unless_wanted();
  return result;
}

void note_operation(const operation& op) {
  if (!movements_kept()) return;
  const std::lock_guard lock(movements_mutex);
  if (!somebody_asked && kept.size() >= most_written) return;
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

namespace {

/// As in the file of EMULATOR_TIMELINE: the first operations of a list.
std::string text_of(const movement_list& all, std::size_t most) {
  constexpr const char* kinds[] = {"up", "down", "within", "kernel", "other"};
  std::string text = "emulator-timeline 1\n";
  for (std::size_t i = 0; i < all.operations.size() && i < most; ++i) {
    const movement& each = all.operations[i];
    text += kinds[static_cast<int>(each.kind)];
    for (const auto& [word, number] : {std::pair("begin", each.begin),
                                       {"end", each.end},
                                       {"up", each.up},
                                       {"down", each.down},
                                       {"within", each.within}})
      text += " " + std::string(word) + " " + std::to_string(number);
    if (each.device != 0) text += " device " + std::to_string(each.device);
    text += " in " + each.stream + " at " + (each.place.empty() ? "-" : each.place) + ": " + each.what + "\n";
  }
  return text;
}

/// For a report: what came since begin_timeline(), or the last part of it; empty where there is none.
std::string timeline_of_report() {
  const std::unique_lock lock(movements_mutex, std::try_to_lock);  // the program may have crashed with it
  if (!lock || !report_asks() || timeline_begin >= kept.size()) return "";
  movement_list all = scheduled(timeline_begin, device_count() > 1);
  auto& shown = all.operations;
  const std::size_t count = shown.size();
  shown.erase(shown.begin(), shown.end() - std::ptrdiff_t(std::min(count, most_reported)));
  std::uint64_t first = ~std::uint64_t{0};
  for (const movement& each : shown) first = std::min(first, each.begin);
  for (movement& each : shown) each.begin -= first, each.end -= first;
  return text_of(all, most_reported) + "end " + std::to_string(count) + "\n";
}

const bool told_to_report = (set_timeline_of_report(timeline_of_report), true);

}  // namespace

void begin_timeline() {
  const std::lock_guard lock(movements_mutex);
  if (begins.empty() && wanted_file() == nullptr) {
    kept.clear();
    by_epoch.clear();
  }
  timeline_begin = kept.size();
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
  const movement_list all = scheduled(0);
  const std::size_t count = all.operations.size();
  std::fputs(text_of(all, most_written).c_str(), out);
  std::fprintf(out, "end %zu waits %llu%s\n", count, static_cast<unsigned long long>(waits),
               count > most_written ? " cut" : "");
  std::fclose(out);
}

}  // namespace cuda_emulator

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "warp_trace.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "block_trace.hpp"
#include "code/symbolize.hpp"
#include "sites.hpp"
#include "step_trace.hpp"

namespace cuda_emulator {
namespace {

/// How many different values there are.
unsigned distinct(std::uint64_t* values, unsigned size) {
  if (!std::is_sorted(values, values + size)) std::sort(values, values + size);
  return static_cast<unsigned>(std::unique(values, values + size) - values);
}

/// Do lanes n and n ^ step want the same address, wherever both take part?
bool in_pairs(const std::uint64_t* addresses, std::uint32_t lanes, int step) {
  for (int lane = 0; lane < 32; ++lane) {
    const int other = lane ^ step;
    const bool both = (lanes >> lane & 1) != 0 && (lanes >> other & 1) != 0;
    if (both && addresses[lane] != addresses[other]) return false;
  }
  return true;
}

/// Passes through the 32 banks: of different words in one bank only one is served at a time, one word serves
/// all lanes that want it. Accesses of 8 bytes go by half-warps, of 16 bytes by quarter-warps; loads twice as
/// wide where lanes want the same in pairs, n and n ^ 1 or n and n ^ 2 (said of compute capability 7 by
/// NVIDIA's staff, forums.developer.nvidia.com/t/77228, and measured to hold for 9.0: docs/counts.md).
unsigned wavefronts(const std::uint64_t* addresses, std::uint32_t lanes, unsigned size, bool is_load) {
  int lanes_at_once = size <= 4 ? 32 : size == 8 ? 16 : 8;
  if (is_load && size > 4 && (in_pairs(addresses, lanes, 1) || in_pairs(addresses, lanes, 2)))
    lanes_at_once *= 2;
  const unsigned words_each = size <= 4 ? 1 : size / 4;
  unsigned total = 0;
  for (int first = 0; first < 32; first += lanes_at_once) {
    std::uint64_t words[64];
    unsigned count = 0;
    for (int lane = first; lane < first + lanes_at_once; ++lane) {
      if ((lanes >> lane & 1) == 0) continue;
      for (unsigned w = 0; w < words_each; ++w) words[count++] = addresses[lane] / 4 + w;
    }
    if (count == 0) continue;
    count = distinct(words, count);
    unsigned in_bank[32] = {}, most = 0;
    for (unsigned i = 0; i < count; ++i) most = std::max(most, ++in_bank[words[i] % 32]);
    total += most;
  }
  return total;
}

}  // namespace

bool lane_way::add_slowly(std::uint64_t entry) {
  const std::size_t count = size();
  if (count == capacity_) {
    capacity_ = std::max<std::size_t>(64, 2 * capacity_);
    auto larger = std::make_unique_for_overwrite<std::uint64_t[]>(capacity_);
    std::copy(begin(), end(), larger.get());
    begin_ = std::move(larger);
    end_ = begin_.get() + count;
  }
  *end_++ = entry;
  // The last one that it may remember, and each one after it, comes to here.
  limit_ = std::max(end_, begin_.get() + std::min(capacity_, most - 1));
  return size() >= most;
}

void warp_trace::count(std::uint32_t key, const request& r, count_totals& totals) const {
  const site where = sites.at(static_cast<std::uint16_t>(key));
  const auto s = static_cast<int>(key >> 16);
  if (where.kind != access_kind::read && where.kind != access_kind::write) {
    if (record_ == nullptr) return;
    if (where.kind == access_kind::fetch)
      record_->add_fetches(where, r.lanes, r.addresses);
    else if (where.kind == access_kind::landing)
      record_->add(static_cast<space>(s), where, r.lanes, r.addresses,
                   wavefronts(r.addresses, r.lanes, where.size, false));
    else
      record_->add(static_cast<space>(s), where, r.lanes, r.addresses, 0);
    return;
  }
  unsigned parts = 0;
  if (static_cast<space>(s) == space::shared) {
    parts = wavefronts(r.addresses, r.lanes, where.size, where.kind == access_kind::read);
  } else {
    const int unit = static_cast<space>(s) == space::global ? 5 : 0;  // sectors of 32 bytes, or addresses
    std::uint64_t pieces[32];
    unsigned count = 0;
    for (std::uint32_t rest = r.lanes; rest != 0; rest &= rest - 1)
      pieces[count++] = r.addresses[std::countr_zero(rest)] >> unit;
    parts = distinct(pieces, count);
  }
  if (record_ != nullptr) record_->add(static_cast<space>(s), where, r.lanes, r.addresses, parts);
  if (where.kind == access_kind::read) {
    ++totals.load_requests[s];
    totals.load_parts[s] += parts;
  } else {
    ++totals.store_requests[s];
    totals.store_parts[s] += parts;
  }
}

std::size_t warp_trace::size_without_events(int lane) const {
  const lane_way& way = lanes_[lane];
  return static_cast<std::size_t>(
      std::count_if(way.begin(), way.end(), [](std::uint64_t entry) { return !is_event(entry); }));
}

void warp_trace::fold(count_totals& totals) {
  std::size_t longest = 0;
  const lane_way* leader = &lanes_[0];
  for (const auto& lane : lanes_) {
    if (lane.size() > longest) {
      longest = lane.size();
      leader = &lane;
    }
  }
  if (longest == 0) return;
  // What is counted must not depend on what is recorded. Here an event has no place, and goes first.
  block_trace* const record = record_;
  if (steps_ != nullptr) {
    count_totals ignored;
    fold_with_steps(ignored);
    record_ = nullptr;
  }
  // Nearly always all lanes go the same way, some not as far as others.
  const bool in_step = std::all_of(std::begin(lanes_), std::end(lanes_), [&](const auto& lane) {
    return std::equal(lane.begin(), lane.end(), leader->begin(), same_place);
  });
  if (in_step)
    fold_in_step(longest, totals);
  else
    fold_apart(totals);
  record_ = record;
  forget();
}

void warp_trace::fold_in_step(std::size_t longest, count_totals& totals) {
  for (std::size_t i = 0; i < longest; ++i) {
    request r;
    std::uint64_t any = step_mark;
    for (int lane = 0; lane < 32; ++lane) {
      if (i >= lanes_[lane].size()) continue;
      any = lanes_[lane][i];
      if (is_step(any)) break;
      r.lanes |= 1u << lane;
      r.addresses[lane] = any >> 18;
    }
    if (!is_step(any)) count(static_cast<std::uint32_t>(any & key_mask), r, totals);
  }
}

inline std::uint64_t warp_trace::position(std::uint64_t entry) {
  constexpr std::uint64_t pc_mask = (std::uint64_t{1} << 46) - 1;
  if (is_step(entry)) return (entry >> 18 & pc_mask) << 6;
  const site s = sites.at(static_cast<std::uint16_t>(entry));
  return (s.pc & pc_mask) << 6 | (s.unit & 63);
}

void warp_trace::fold_apart(count_totals& totals) {
  struct walker {
    std::uint64_t position;  // of the next entry
    const std::uint64_t *next, *end;
    int lane;
  };
  walker walkers[32];
  int walking = 0;
  for (int lane = 0; lane < 32; ++lane) {
    if (lanes_[lane].empty()) continue;
    const std::uint64_t* begin = lanes_[lane].data();
    walkers[walking++] = {position(*begin), begin, begin + lanes_[lane].size(), lane};
  }
  request r;
  while (walking > 0) {
    std::uint64_t behind = walkers[0].position;
    for (int w = 1; w < walking; ++w) behind = std::min(behind, walkers[w].position);
    std::uint64_t first = 0;
    r.lanes = 0;
    for (int w = 0; w < walking; ++w) {
      walker& each = walkers[w];
      if (each.position != behind) continue;
      if (r.lanes == 0) first = *each.next;
      if (!same_place(*each.next, first)) continue;  // the same instruction in another memory: next time
      r.lanes |= 1u << each.lane;
      r.addresses[each.lane] = *each.next >> 18;
      if (++each.next != each.end) {
        each.position = position(*each.next);
      } else {
        each = walkers[--walking];
        --w;
      }
    }
    if (!is_step(first)) count(static_cast<std::uint32_t>(first & key_mask), r, totals);
  }
}

// The same order as in fold_apart(), with the events in it. Lanes that do something together wait for each
// other.
void warp_trace::fold_with_steps(count_totals& totals) {
  std::size_t next[32] = {}, entries[32] = {};
  std::uint64_t events[32] = {};
  std::uint32_t walking = 0;
  for (int lane = 0; lane < 32; ++lane)
    if (!lanes_[lane].empty()) walking |= 1u << lane;
  const auto entry = [&](int lane) { return lanes_[lane][next[lane]]; };
  const auto event = [&](int lane) { return entry(lane) >> 18; };
  const auto at_event = [&](int lane) { return is_event(entry(lane)); };
  // Lanes that have nothing left but to return do so at once: from here on they have not.
  std::size_t only_return_from[32];
  for (int lane = 0; lane < 32; ++lane) {
    const auto& all = lanes_[lane];
    std::size_t& from = only_return_from[lane] = all.size();
    if (all.empty() || !is_step(all.back()) || !steps_->is_return(lane, all.back() >> 18)) continue;
    for (--from; from > 0 && is_step(all[from - 1]) && all[from - 1] >> 18 >= 0x10000;) --from;
  }
  const auto only_returns = [&](int lane) { return next[lane] >= only_return_from[lane]; };
  const auto position_of = [&](int lane) -> std::uint64_t {
    if (only_returns(lane)) return 0;
    return at_event(lane) ? position(steps_->pc_of(lane, event(lane)) << 18 | step_mark)
                          : position(entry(lane));
  };
  const auto same = [&](int a, int b) {
    if (at_event(a) != at_event(b)) return false;
    return at_event(a) ? steps_->same(a, event(a), b, event(b)) : same_place(entry(a), entry(b));
  };
  const auto can_go_on = [&](int lane) {
    std::uint32_t others = at_event(lane) ? steps_->waits_for(lane, event(lane)) & walking : 0;
    for (; others != 0; others &= others - 1)
      if (!same(lane, std::countr_zero(others))) return false;
    return true;
  };
  while (walking != 0) {
    std::uint64_t behind = ~std::uint64_t{0};
    int first = -1;
    for (std::uint32_t rest = walking; rest != 0; rest &= rest - 1) {
      const int lane = std::countr_zero(rest);
      if (first >= 0 && position_of(lane) >= behind) continue;
      if (!can_go_on(lane)) continue;
      behind = position_of(lane);
      first = lane;
    }
    if (first < 0) first = std::countr_zero(walking);
    request r;
    const std::uint64_t what = entry(first);
    const bool of_event = at_event(first);
    for (std::uint32_t rest = walking; rest != 0; rest &= rest - 1) {
      const int lane = std::countr_zero(rest);
      if (lane != first && !same(first, lane)) continue;
      r.lanes |= 1u << lane;
      r.addresses[lane] = entry(lane) >> 18;
      entries[lane] = next[lane];
      events[lane] = event(lane);
    }
    if (of_event) {
      steps_->add(r.lanes, events);
    } else if (!is_step(what)) {
      count(static_cast<std::uint32_t>(what & key_mask), r, totals);
      steps_->add_request(r.lanes, entries);
    }
    for (std::uint32_t rest = r.lanes; rest != 0; rest &= rest - 1) {
      const int lane = std::countr_zero(rest);
      if (++next[lane] == lanes_[lane].size()) walking &= ~(1u << lane);
    }
  }
}

std::uint64_t warp_trace::accessed_beyond(int lane, unsigned others, std::uint64_t pc) const {
  const lane_way& way = lanes_[lane];
  // By the lines of the source: compilers move branches that they take to be rare, such as guards, to the
  // end.
  const auto is_beyond = [pc](std::uint64_t entry) {
    return !is_step(entry) && on_later_line(sites.at(static_cast<std::uint16_t>(entry)).pc, pc);
  };
  // What a lane did together with the others before they parted, in an earlier round of a loop perhaps, does
  // not count.
  std::size_t common = 0;
  for (unsigned rest = others; rest != 0; rest &= rest - 1) {
    const lane_way& other = lanes_[std::countr_zero(rest)];
    const auto parted = std::mismatch(way.begin(), way.end(), other.begin(), other.end(), same_place).first;
    common = std::max(common, static_cast<std::size_t>(parted - way.begin()));
  }
  const auto found = std::find_if(way.begin() + static_cast<std::ptrdiff_t>(common), way.end(), is_beyond);
  return found == way.end() ? 0 : sites.at(static_cast<std::uint16_t>(*found)).pc;
}

void warp_trace::forget() {
  for (auto& lane : lanes_) lane.clear();
}

}  // namespace cuda_emulator

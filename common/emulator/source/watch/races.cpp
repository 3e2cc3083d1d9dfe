// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Two accesses to the same word race if at least one of them writes, not both are atomic, and nothing orders
// them: they come from two blocks of one launch, from two threads of a block between the same barriers, or
// from two lanes of a warp that have not met in between. It does not matter in which order they happened to
// be run.
#include <sched.h>

#include <algorithm>
#include <chrono>
#include <cstring>

#include "observer.hpp"
#include "sites.hpp"

namespace cuda_emulator {

namespace {

// Shared memory is used by one worker only: nobody else looks for what it leaves there.
void leave(std::atomic<std::uint64_t>& where, std::uint64_t stamp, bool alone) {
  if (alone)
    where.store(stamp, std::memory_order_relaxed);
  else
    where.store(stamp);
}
std::uint64_t leave_and_look(std::atomic<std::uint64_t>& where, std::uint64_t stamp, bool alone) {
  if (!alone) return where.exchange(stamp);
  const std::uint64_t before = where.load(std::memory_order_relaxed);
  where.store(stamp, std::memory_order_relaxed);
  return before;
}

/// Whether two stamps are of one write, if perhaps of two of its words.
bool of_one_write(stamp a, stamp b) {
  return a.bits == b.bits || (!a.empty() && !b.empty() && a.worker() == b.worker() && a.time() == b.time() &&
                              a.thread() == b.thread() && sites.at(a.site()).pc == sites.at(b.site()).pc);
}

}  // namespace

/// Of this launch, whatever block it is of.
inline bool observer::of_this_launch(stamp other) const {
  if (other.empty()) return false;
  const observer* owner = observers[other.worker()];
  return owner != nullptr && owner->device_ == device_ && other.time() > owner->launch_begin_;
}

/// Of this launch, but not of the block that runs here.
[[gnu::always_inline]] inline bool observer::of_other_block(stamp other) const {
  if (in_shared_) return false;  // what other blocks did here, they did to shared memory of their own
  if (other.worker() == number_) return other.time() > launch_begin_ && other.time() < block_begin_;
  return of_this_launch(other);
}

bool observer::fenced_elsewhere(stamp other) const {
  return of_other_block(other) && observers[other.worker()]->has_fence(other);
}

/// Could the access that `other` stands for as well come after the one that happens now?
[[gnu::always_inline]] inline bool observer::conflicts(stamp other) const {
  if (other.empty()) return false;
  if (of_other_block(other)) return !ordered_by_fence(other);
  if (clocks_.used() && is_of_barrier(sites.kind(other.site()))) [[unlikely]]
    return other.worker() == number_ && other.time() >= block_begin_ &&
           other.time() >= clocks_.copies_known(current_, other.thread());
  if (other.worker() != number_ || other.time() < interval_begin_) return false;
  const int thread = other.thread();
  if (thread == current_) return false;
  const int warp = current_ / 32;
  if (thread / 32 == warp) {
    const std::uint64_t met =
        partial_[warp] ? partial_times_[warp].seen[current_ % 32][thread % 32] : warp_time_[warp];
    if (other.time() < met) return false;
  }
  if (clocks_.used() && other.time() < known_times::at(clocks_.of(current_).of_threads, thread)) return false;
  return !ordered_by_fence(other);
}

bool observer::could_come_after(stamp other) const { return conflicts(other); }

/// Blocks and threads can order what they do by fences and atomics. Where both are there we believe it.
bool observer::ordered_by_fence(stamp other) const {
  if (other.worker() == number_ && other.time() >= block_begin_) return ordered_by_fence_here(other);
  if (flag_after_fence(other)) return true;
  if (!block_acquired_) return false;
  // An atomic is seen by all at once: who took part in them after it, as the last one does, may go on with
  // the word.
  if (const access_kind kind = sites.kind(other.site()); !only_reads(kind) && !plainly_writes(kind))
    return true;
  return observers[other.worker()]->handed_over(other);
}

/// Whether what a thread of mine did was handed on to other blocks: by a fence that comes after it, and by an
/// atomic or a volatile store that comes after the fence. "After" in one thread, or with a barrier between.
bool observer::handed_over(stamp what) const {
  const block_entry* const entry = entry_at(what.time());
  if (entry == nullptr) return false;
  const std::uint32_t count = handed_count_.load(std::memory_order_acquire);
  if (handed_ == nullptr || count == most_handed) return true;  // not all of them are known
  const bool is_last = entry + 1 == entries_ + entry_count_.load(std::memory_order_acquire);
  const std::uint32_t end = is_last ? count : entry[1].first_handed;
  // Of the releases that come after the fence that is looked at.
  std::uint64_t block_before = 0, warp_before[32] = {};
  std::uint32_t threads[32] = {};
  for (std::uint32_t i = end; i-- > entry->first_handed;) {
    const hand_over& h = handed_[i];
    const int warp = h.thread / 32;
    if (!h.is_fence) {
      block_before = std::max(block_before, h.block_before);
      warp_before[warp] = std::max(warp_before[warp], h.warp_before);
      threads[warp] |= 1u << h.thread % 32;
      continue;
    }
    const bool is_released =
        (threads[warp] >> h.thread % 32 & 1) != 0 || h.time < block_before || h.time < warp_before[warp];
    const bool comes_after = (h.thread == what.thread() && what.time() < h.time) ||
                             what.time() < h.block_before ||
                             (warp == what.thread() / 32 && what.time() < h.warp_before);
    if (is_released && comes_after) return true;
  }
  return false;
}

/// Whether any thread of that block has called __threadfence().
bool observer::has_fence(stamp other) const {
  const block_entry* const entry = entry_at(other.time());
  if (entry == nullptr) return false;
  const std::uint32_t count = handed_count_.load(std::memory_order_acquire);
  const bool is_last = entry + 1 == entries_ + entry_count_.load(std::memory_order_acquire);
  const std::uint32_t end = is_last ? count : entry[1].first_handed;
  return count == most_handed || end > entry->first_handed;  // the first one is always a fence
}

/// A volatile variable that one block sets after a __threadfence(), and that another one looks at (in a loop,
/// usually), is as good as an atomic. One of 8 bytes has room for what it hands on and for the sign that it
/// is there, as in a scan by decoupled look-back, and then needs no fence: volatile accesses of one word come
/// whole, and one after the other.
bool observer::flag_after_fence(stamp other) const {
  if (!is_volatile_ || in_shared_ || !sites.is_volatile(other.site())) return false;
  const access_kind kind = sites.kind(other.site());
  if (plain_write_ == plainly_writes(kind)) return false;
  if (size_ == 8 && sites.at(other.site()).size == 8) return true;
  return plain_write_ ? last_fence_ >= block_begin_ : observers[other.worker()]->has_fence(other);
}

/// The same for two threads of one block, of which each must have done its part: nobody fences for those who
/// have not come yet. (A lane may fence for its warp, once that has met.)
bool observer::ordered_by_fence_here(stamp other) const {
  if ((acquired_[current_ / 32] >> current_ % 32 & 1) == 0) return false;
  const int first = other.thread() / 32 * 32;
  for (int lane = first; lane < first + 32; ++lane)
    if (lane != current_ && thread_fence_[lane] > other.time()) return true;
  // A word that all change atomically is put back by the one who came last.
  const access_kind kind = sites.kind(other.site());
  return plain_write_ && !only_reads(kind) && !plainly_writes(kind);
}

/// Two readers are enough: any writer differs from one of them. Two of different blocks are kept for good,
/// since any writer is of another block than one of them.
void observer::remember_reader(cell& c, std::uint64_t mine) {
  const std::uint64_t first = c.read.load(std::memory_order_relaxed);
  if (first == mine) return;
  const bool first_elsewhere = first != 0 && of_other_block(first);
  const bool first_here = first != 0 && stamp(first).worker() == number_ &&
                          stamp(first).time() >= block_begin_ && !first_elsewhere;
  if (!first_elsewhere && !first_here) {  // of an earlier launch
    leave(c.other_read, 0, in_shared_);
    leave(c.read, mine, in_shared_);
    return;
  }
  const std::uint64_t second = c.other_read.load(std::memory_order_relaxed);
  if (second == mine) return;
  const bool second_elsewhere = second != 0 && of_other_block(second);
  const bool second_here =
      second != 0 && stamp(second).worker() == number_ && stamp(second).time() >= block_begin_;
  if (first_elsewhere) {
    if (!second_elsewhere && !second_here) leave(c.other_read, mine, in_shared_);
    return;
  }
  if (stamp(first).thread() == current_ || !conflicts(first)) {
    leave(c.read, mine, in_shared_);
  } else if (!second_elsewhere && (clocks_.used() || !(second_here && conflicts(second)))) {
    // Where threads wait for each other one by one, the last to come is the likeliest not to be waited for.
    leave(c.other_read, mine, in_shared_);
  }
}

inline void observer::check_cell(cell& c, const access& a) {
  // First leave a trace, then look for those of others: of two workers at the same word at least one sees the
  // other.
  const bool plain_write = plainly_writes(a.kind);
  std::uint64_t before;
  if (plain_write) {
    before = leave_and_look(c.write, a.mine, in_shared_);
  } else {
    remember_reader(c, a.mine);
    before = c.write.load();
  }
  // Through a texture a launch sees what was there before it, or not: barriers and fences change nothing.
  const bool fetches = a.kind == access_kind::fetch;
  if (fetches ? of_this_launch(before) : conflicts(before)) {
    const bool copies = is_copy(a.kind) || is_copy(sites.kind(stamp(before).site()));
    if (plain_write && !copies)
      report_racing_write(a, before);
    else
      report(fetches  ? finding_kind::stale_texture
             : copies ? finding_kind::asynchronous_copy
                      : finding_kind::race,
             a.address, a.size, a.kind, a.pc, before);
    return;
  }
  // Reads do not harm reads, nor atomics atomics: those two kinds share the places for readers.
  for (const std::uint64_t reader : {c.read.load(), c.other_read.load()}) {
    if (reader == 0 || reader == a.mine) continue;
    if (!plain_write && stamp(reader).plain_read() == only_reads(a.kind)) continue;
    if (fetches ? !of_this_launch(reader) : !conflicts(reader)) continue;
    if (!plain_write &&
        (a.kind == access_kind::swap || sites.kind(stamp(reader).site()) == access_kind::swap))
      continue;
    const bool through_texture = fetches || sites.kind(stamp(reader).site()) == access_kind::fetch;
    report(through_texture                                                ? finding_kind::stale_texture
           : is_copy(a.kind) || is_copy(sites.kind(stamp(reader).site())) ? finding_kind::asynchronous_copy
                                                                          : finding_kind::race,
           a.address, a.size, a.kind, a.pc, reader);
    return;
  }
}

/// Two plain writes. The value is not there yet: what is there now is compared when the thread goes on.
void observer::report_racing_write(const access& a, std::uint64_t other) {
  const bool comparable = a.size <= sizeof racing_write::before;
  report(finding_kind::race, a.address, a.size, a.kind, a.pc, other, comparable);
  if (!comparable) return;
  // On another processor the other one may not have been done yet. Where processors are busy, it may have to
  // wait for one. Of two that wait for each other, one goes on, and the other compares.
  using clock = std::chrono::steady_clock;
  const observer* const owner = observers[stamp(other).worker()];
  awaited_.store(other);
  for (const auto end = clock::now() + std::chrono::milliseconds(200);
       owner != this && of_one_write(owner->writing_.load(std::memory_order_acquire), other) &&
       clock::now() < end;) {
    if (number_ < owner->number_ && of_one_write(owner->awaited_.load(), a.mine)) {
      awaited_.store(0);
      return;
    }
    sched_yield();
  }
  awaited_.store(0);
  racing_write w{current_, a.size, const_cast<const void*>(a.address), a.pc, sites.at(stamp(other).site()).pc,
                 {}};
  std::memcpy(w.before, w.address, a.size);
  racing_writes_.push_back(w);
  unsettled_ = true;
}

void observer::settle_writes(std::uint64_t pc) {
  std::erase_if(racing_writes_, [&](const racing_write& w) {
    if (w.thread != current_ || w.pc == pc) return false;
    if (std::memcmp(w.before, w.address, w.size) != 0) launch_->values_differ(w.pc, w.other_pc);
    return true;
  });
  unsettled_ = !racing_writes_.empty();
}

void observer::check_races(const place& p, const volatile void* address, unsigned size, access_kind kind,
                           std::uint16_t site, std::uint64_t pc) {
  in_shared_ = p.where == space::shared;
  plain_write_ = plainly_writes(kind);
  size_ = size;
  const access what{address, size, kind, pc,
                    stamp(number_, current_time_, current_, only_reads(kind), site).bits};
  if (plain_write_ && !in_shared_) {
    writing_at_ = pc;
    writing_.store(what.mine, std::memory_order_relaxed);
  }
  // Whole words are watched as words. Words of which parts are accessed are watched by bytes, too.
  if (size >= 4) {
    for (unsigned w = 0; w < size / 4; ++w) {
      const std::size_t word = p.offset / 4 + w;
      check_cell(p.shadow->cells[word], what);
      if (p.shadow->has_fine[word] != 0)
        for (unsigned b = 0; b < 4; ++b) check_cell(p.shadow->fine[word * 4 + b], what);
    }
    return;
  }
  const std::size_t word = p.offset / 4;
  if (p.shadow->has_fine[word] == 0) {
    // What was noted for the word so far holds for each of its bytes.
    const cell& c = p.shadow->cells[word];
    for (unsigned b = 0; b < 4; ++b) {
      cell& f = p.shadow->fine[word * 4 + b];
      f.write = c.write.load();
      f.read = c.read.load();
      f.other_read = c.other_read.load();
    }
    p.shadow->has_fine[word] = 1;
  }
  for (unsigned b = 0; b < size; ++b) check_cell(p.shadow->fine[p.offset + b], what);
}

}  // namespace cuda_emulator

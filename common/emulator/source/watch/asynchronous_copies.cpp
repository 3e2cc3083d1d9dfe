// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Copies that are under way while threads go on, and barriers in shared memory, which complete them.
#include <algorithm>
#include <cstring>

#include "memory/registered_ranges.hpp"
#include "observer.hpp"
#include "sites.hpp"

namespace cuda_emulator {

/// Before the copy lands the target counts as not written: so the accesses that must be reported are noticed
/// where such memory is, at no cost to others.
void observer::begin_copy(copy_under_way& copy) {
  of_warp_[current_ / 32].stored |= 1u << current_ % 32;
  begin_target(copy);
  begin_source(copy);
}

void observer::begin_target(const copy_under_way& copy) {
  // A bulk copy is looked at in pieces that a thread could write.
  const access_kind kind = copy.at_barrier ? access_kind::delivery : access_kind::landing;
  for (unsigned done = 0; done < copy.size; done += 16) {
    const unsigned piece = std::min(copy.size - done, 16u);
    check_piece(copy.to + done, piece, kind, copy.pc);
    place to;
    if (!locate(copy.to + done, piece, to) || to.shadow == nullptr || to.initialized) continue;
    std::uint8_t* const states = to.shadow->states + to.offset;
    for (unsigned i = 0; i < piece; ++i)
      if ((states[i] & state_usable) != 0)
        states[i] = static_cast<std::uint8_t>((states[i] & ~state_defined) | state_under_way);
  }
}

/// As observe(), but for what is counted.
void observer::check_piece(const char* piece, unsigned size, access_kind kind, std::uint64_t pc) {
  place p;
  if (!locate(piece, size, p)) {
    if (registered_at(piece)) return;
    foreign(piece, size, kind, pc);
  }
  if (p.shadow == nullptr) return;
  const bool as_usual = p.initialized || check_states(p, piece, size, kind, only_reads(kind), pc);
  const bool watched = p.initialized || (p.shadow->states[p.offset] & state_unwatched) == 0;
  if (p.where != space::constant && watched && as_usual)
    check_races(p, piece, size, kind, sites.number({pc, kind, size, 0}), pc);
}

namespace {

/// Changes with each write to the word or to a byte of it; not where its bytes begin to be watched apart.
std::uint64_t writes_of(const shadow_range& shadow, std::size_t word) {
  const std::uint64_t whole = shadow.cells[word].write.load();
  std::uint64_t all = whole;
  if (shadow.has_fine[word] != 0)
    for (unsigned b = 0; b < 4; ++b) all += (shadow.fine[word * 4 + b].write.load() - whole) * (2 * b + 1);
  return all;
}

/// The last of them by this worker; otherwise any.
std::uint64_t last_write(const shadow_range& shadow, std::size_t word, unsigned worker) {
  std::uint64_t last = shadow.cells[word].write.load();
  for (unsigned b = 0; shadow.has_fine[word] != 0 && b < 4; ++b) {
    const std::uint64_t write = shadow.fine[word * 4 + b].write.load();
    const bool mine = stamp(write).worker() == worker, known_mine = stamp(last).worker() == worker;
    if (mine == known_mine ? stamp(write).time() > stamp(last).time() : mine) last = write;
  }
  return last;
}

}  // namespace

void observer::begin_source(copy_under_way& copy) {
  copy.remember_source();
  std::memcpy(copy.bytes(), copy.from, copy.from_source);
  if (place from; locate(copy.from, copy.from_source, from) && from.shadow != nullptr)
    for (unsigned w = 0; w < copy.from_source / 4; ++w)
      copy.writes()[w] = writes_of(*from.shadow, from.offset / 4 + w);
}

/// False: nothing is known of the target.
bool observer::finish_target(const copy_under_way& copy, place& to) {
  if (!locate(copy.to, copy.size, to)) return false;
  if (to.shadow == nullptr || to.initialized) return true;
  std::uint8_t* const states = to.shadow->states + to.offset;
  for (unsigned i = 0; i < copy.size; ++i)
    if ((states[i] & state_usable) != 0)
      states[i] = static_cast<std::uint8_t>((states[i] & ~state_under_way) | state_defined);
  return true;
}

bool observer::land(const copy_under_way& copy) {
  check_source(copy, access_kind::read);
  place to;
  if (!finish_target(copy, to)) return false;
  const std::uint16_t site = sites.number({copy.pc, access_kind::landing, copy.size, 0});
  lands_ = true;
  if (to.shadow != nullptr) check_races(to, copy.to, copy.size, access_kind::landing, site, copy.pc);
  lands_ = false;
  if (steps_ != nullptr) record_access(copy.to, copy.size, access_kind::landing, copy.pc);
  return trace_.add(current_ % 32, to.where, to.counted, site);
}

void observer::begin_bulk_copy(copy_under_way& copy) {
  of_warp_[current_ / 32].stored |= 1u << current_ % 32;
  for (unsigned done = 0; done < copy.from_source; done += 16)
    check_piece(copy.from + done, std::min(copy.from_source - done, 16u), access_kind::read, copy.pc);
  begin_target(copy);
  begin_source(copy);
}

void observer::land_bulk_copy(const copy_under_way& copy) {
  place to;
  if (!finish_target(copy, to) || to.shadow == nullptr) return;
  lands_ = true;
  for (unsigned done = 0; done < copy.size; done += 16)
    check_piece(copy.to + done, 16, access_kind::landing, copy.pc);
  lands_ = false;
}

/// What was to be said about earlier accesses was said when the copy began, or when they came.
void observer::deliver(const copy_under_way& copy, known_times& completed) {
  check_source(copy, access_kind::collection);
  const std::uint64_t now = ++time_;
  ++time_;
  known_times::raise(completed.of_copies, copy.thread, time_);
  place to;
  if (!finish_target(copy, to) || to.shadow == nullptr) return;
  const std::uint64_t mine =
      stamp(number_, now, copy.thread, false,
            sites.number({copy.pc, access_kind::delivery, std::min(copy.size, 16u), 0}))
          .bits;
  for (unsigned i = 0; i < copy.size; ++i) {
    const std::size_t at = to.offset + i;
    to.shadow->cells[at / 4].write.store(mine);
    if (to.shadow->has_fine[at / 4] != 0) to.shadow->fine[at].write.store(mine);
  }
}

/// The copy may read its source at any moment until it lands. `kind` says as whose access: the thread's that
/// waits, or nobody's.
void observer::check_source(const copy_under_way& copy, access_kind kind) {
  place from;
  if (copy.from_source == 0 || !locate(copy.from, copy.from_source, from)) return;
  const bool watched = from.shadow != nullptr &&
                       (from.initialized || (from.shadow->states[from.offset] & state_unwatched) == 0);
  in_shared_ = from.where == space::shared;
  std::uint64_t write = 0;
  for (unsigned w = 0; watched && w < copy.from_source / 4; ++w)
    if (const std::size_t word = from.offset / 4 + w; writes_of(*from.shadow, word) != copy.writes()[w])
      write = last_write(*from.shadow, word, number_);
  lands_ = true;
  // A race, whenever the copy has read.
  if (write != 0 && kind == access_kind::read && could_come_after(write)) {
    report(finding_kind::race, copy.from, copy.from_source, access_kind::read, copy.pc, write);
  } else if (write != 0 || std::memcmp(copy.bytes(), copy.from, copy.from_source) != 0) {
    raw_finding f = found(finding_kind::asynchronous_copy, copy.from, copy.from_source, access_kind::read,
                          copy.pc, write);
    f.copy = copy_fault::source_changed;
    f.thread = copy.thread;
    launch_->note(f);
  } else if (watched && from.where != space::constant) {
    // Those who write it from now on must come after the wait.
    const std::uint64_t mine =
        stamp(number_, kind == access_kind::read ? current_time_ : time_ + 1,
              kind == access_kind::read ? current_ : copy.thread, true, sites.number({copy.pc, kind, 4, 0}))
            .bits;
    for (std::size_t word = from.offset / 4; word < (from.offset + copy.from_source) / 4; ++word) {
      remember_reader(from.shadow->cells[word], mine);
      for (unsigned b = 0; from.shadow->has_fine[word] != 0 && b < 4; ++b)
        remember_reader(from.shadow->fine[word * 4 + b], mine);
    }
  }
  lands_ = false;
}

void observer::release(known_times& times) {
  known_times& mine = clocks_.of(current_);
  times.join(mine);
  // What __syncwarp() has told this lane of the others.
  const int warp = current_ / 32;
  for (int lane = 0; lane < 32; ++lane)
    known_times::raise(times.of_threads, warp * 32 + lane,
                       partial_[warp] ? partial_times_[warp].seen[current_ % 32][lane] : warp_time_[warp]);
  current_time_ = own_time_[current_] = ++time_;
  known_times::raise(times.of_threads, current_, time_);
}

void observer::acquire(int thread, const known_times& times) { clocks_.of(thread).join(times); }

std::uint64_t observer::stamp_here(std::uint64_t pc) const {
  return stamp(number_, current_time_, current_, false, sites.number({pc, access_kind::write, 8, 0})).bits;
}

bool observer::knows(std::uint64_t stamp) {
  in_shared_ = true;
  plain_write_ = false;
  return !could_come_after(stamp);
}

void observer::report_under_way(const volatile void* address, unsigned size, access_kind kind,
                                std::uint64_t pc) {
  const copy_under_way* copy = nullptr;
  for (unsigned i = 0; i < size && copy == nullptr; ++i)
    copy = copies_.to(static_cast<const volatile char*>(address) + i);
  raw_finding f = found(finding_kind::asynchronous_copy, address, size, kind, pc, 0);
  f.copy = copy_fault::not_landed;
  if (copy != nullptr) {
    f.other_block = block_;
    f.other_thread = copy->thread;
    f.other_what = access_kind::landing;
    f.other_pc = copy->pc;
    f.waited_pc = copy->waited;
    f.nothing_new = copy->nothing_new;
    f.groups = copy->groups;
    f.groups_left = copy->groups_left;
    f.committed = copy->group != 0;
    f.at_barrier = copy->at_barrier;
  }
  launch_->note(f);
}

}  // namespace cuda_emulator

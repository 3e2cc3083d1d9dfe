// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Barriers that not all threads of a block reach, or not at the same place; shuffles likewise, for lanes of a
// warp.
#include <algorithm>
#include <bit>
#include <string>

#include "code/symbolize.hpp"
#include "tell/findings.hpp"
#include "worker.hpp"

namespace cuda_emulator {
namespace {

std::uint64_t number(const void* pc) { return reinterpret_cast<std::uint64_t>(pc); }

/// One line of source can become several barriers in the program (a loop that is unrolled, a template,
/// inlining).
bool same_line(const void* a, const void* b) { return a == b || place_of(number(a)) == place_of(number(b)); }

/// Are these two the same call in the source? A device function that is inlined at two calls has two of each.
bool same_call(const thread_slot& a, const thread_slot& b) {
  if (a.column != b.column) return false;
  return a.pc == b.pc || places_of(number(a.pc)) == places_of(number(b.pc));
}

}  // namespace

/// When all threads that have not finished wait for the block. Once they have met at different barriers,
/// those that are a barrier behind the others find these gone at the end: that is no second mistake.
void worker::check_barrier(unsigned warp_state::*waiting, int arrived) {
  if (diverged_ == block_) return;
  int first = nobody;
  raw_finding f{.kind = finding_kind::divergent_barrier};
  f.block = f.other_block = block_;
  const auto note = [&](int other) {
    f.thread = first;
    f.pc = number(threads_[first].pc);
    f.other_thread = other;
    f.arrived = arrived;
    f.at_grid = waiting == &warp_state::at_grid;
    f.missing = thread_count_ - alive_;
    launch_->note(f);
  };
  for (int w = 0; w < warp_count_; ++w) {
    for (unsigned lanes = warps_[w].*waiting; lanes != 0; lanes &= lanes - 1) {
      const int thread = w * lanes_per_warp + std::countr_zero(lanes);
      if (first == nobody) first = thread;
      if (!same_line(threads_[first].pc, threads_[thread].pc)) {
        f.other_pc = number(threads_[thread].pc);
        note(thread);
        diverged_ = block_;
        return;
      }
    }
  }
  if (alive_ == thread_count_) return;
  for (int thread = 0; thread < thread_count_; ++thread) {
    if ((warps_[thread / lanes_per_warp].alive >> thread % lanes_per_warp & 1) != 0) continue;
    note(thread);
    return;
  }
}

/// When all threads of [first, last) that have not finished wait for their tile.
void worker::check_tile(int first, int last, int waiting) {
  raw_finding f{.kind = finding_kind::divergent_barrier};
  f.block = f.other_block = block_;
  f.thread = waiting;
  f.pc = number(threads_[waiting].pc);
  int gone = nobody, elsewhere = nobody;
  for (int thread = last - 1; thread >= first; --thread) {
    const warp_state& w = warps_[thread / lanes_per_warp];
    const bool here = (w.at_tile >> thread % lanes_per_warp & 1) != 0;
    f.arrived += here;
    f.missing += !here;
    if (!here) gone = thread;
    if (here && !same_line(threads_[waiting].pc, threads_[thread].pc)) elsewhere = thread;
  }
  if (gone == nobody && elsewhere == nobody) return;
  f.other_thread = elsewhere != nobody ? elsewhere : gone;
  if (elsewhere != nobody) f.other_pc = number(threads_[elsewhere].pc);
  f.at_tile = true;
  launch_->note(f);
}

/// When these lanes of a warp meet at shuffles of one kind and mask. (A __syncwarp() may stand at several
/// places.)
void worker::check_shuffle(int warp, unsigned lanes) {
  const int first = warp * lanes_per_warp + std::countr_zero(lanes), other = other_call(warp, lanes);
  if (other == nobody) return;
  raw_finding f{.kind = finding_kind::divergent_shuffle};
  f.block = f.other_block = block_;
  f.thread = first;
  f.pc = number(threads_[first].pc);
  f.other_thread = other;
  f.other_pc = number(threads_[other].pc);
  launch_->note(f);
}

/// One of these lanes that waits at another call than the first of them.
int worker::other_call(int warp, unsigned lanes) const {
  const int first = warp * lanes_per_warp + std::countr_zero(lanes);
  for (unsigned rest = lanes; rest != 0; rest &= rest - 1) {
    const int thread = warp * lanes_per_warp + std::countr_zero(rest);
    if (!same_call(threads_[first], threads_[thread])) return thread;
  }
  return nobody;
}

/// Who waits for it, and who or what has not come.
void worker::report_never_completed(const shared_barrier& b) {
  raw_finding f{.kind = finding_kind::shared_barrier};
  f.block = f.other_block = block_;
  f.thread = b.waiting.front().thread;
  f.pc = number(threads_[f.thread].pc);
  f.address = shared.at(b.offset);
  f.shared_offset = b.offset;
  f.size = 8;
  f.text = "barrier in shared memory that is never completed";
  f.at_barrier = true;
  const auto triple = [this](int thread) {
    const uint3 t = threads_[thread].index;
    return "(" + std::to_string(t.x) + ", " + std::to_string(t.y) + ", " + std::to_string(t.z) + ")";
  };
  const auto count = [](std::int64_t n, const char* thing) {
    return std::to_string(n) + " " + thing + (n == 1 ? "" : "s");
  };
  const std::uint32_t come = b.expected - std::min(b.expected, b.missing - b.by_copies);
  f.details = "  " + count(static_cast<std::int64_t>(b.waiting.size()), "thread") +
              (b.waiting.size() == 1 ? " waits" : " wait") +
              " for it, and no thread can continue. In this phase, number " + std::to_string(b.phase) +
              ",\n  " + std::to_string(come) + " of " + count(b.expected, "arrival") + " have come";
  if (b.bytes != 0 || b.asked_for != 0)
    f.details += ", and copies bring " + std::to_string(b.asked_for) + " of " + count(b.bytes, "byte") +
                 " that it expects";
  f.details += "\n";
  if (b.missing == b.by_copies) {
    f.details +=
        "  Usual cause: expect_tx (barrier_arrive_tx()) with another number of "
        "bytes than the copies have, or a copy\n"
        "  that is missing.";
    launch_->note(f);
    return;
  }
  int absent = 0;
  std::string names;
  for (int thread = 0; thread < thread_count_; ++thread) {
    const auto t = static_cast<std::size_t>(thread);
    if (t < b.arrivals.size() && b.arrivals[t] != 0) continue;
    if (++absent > 3) continue;
    const warp_state& w = warps_[thread / lanes_per_warp];
    const unsigned lane = 1u << thread % lanes_per_warp;
    names += "  thread " + triple(thread) +
             ((w.alive & lane) == 0 ? " has returned from the kernel"
                                    : " waits at " + place_of(number(threads_[thread].pc)).text()) +
             "\n";
  }
  const std::string of_all = std::to_string(thread_count_);
  if (absent == 0)
    f.details += "  All " + of_all + " threads of the block have arrived.\n";
  else
    f.details += "  " + std::to_string(absent) + " of the " + of_all + " threads of the block " +
                 (absent == 1 ? "has" : "have") + " not arrived in this phase:\n" + names +
                 (absent > 3 ? "  ...\n" : "");
  f.details +=
      "  Usual cause: init() with a count that is not the number of arrivals in a phase, "
      "or an arrive() inside an\n"
      "  if that not all threads take.";
  launch_->note(f);
}

void worker::report_deadlock() {
  if (const shared_barrier* const b = barriers.waited_for()) {
    report_never_completed(*b);
    launch_->abandon();
    return;
  }
  std::string places;
  int in_warps = 0, shown = 0;
  for (int w = 0; w < warp_count_; ++w)
    in_warps += std::popcount(warps_[w].at_collective | warps_[w].at_tile);
  const std::string at_grid = at_grid_ == 0 ? "" : ", " + std::to_string(at_grid_) + " at grid.sync()";
  const void* last = nullptr;
  for (int thread = 0; thread < thread_count_ && shown < 4; ++thread) {
    const warp_state& w = warps_[thread / lanes_per_warp];
    if (((w.at_barrier | w.at_collective | w.at_tile | w.at_grid) >> thread % lanes_per_warp & 1) == 0)
      continue;
    if (last != nullptr && same_line(last, threads_[thread].pc)) continue;
    last = threads_[thread].pc;
    const uint3 t = threads_[thread].index;
    places += "  thread (" + std::to_string(t.x) + ", " + std::to_string(t.y) + ", " + std::to_string(t.z) +
              ") waits at " + place_of(number(last)).text() + "\n";
    ++shown;
  }
  const uint3 b = block_index();
  raw_finding f{.kind = finding_kind::deadlock};
  f.block = block_;
  f.text = place_of(number(last)).text() + ": error: deadlock in kernel " + launch_->kernel.name +
           ", block (" + std::to_string(b.x) + ", " + std::to_string(b.y) + ", " + std::to_string(b.z) +
           ")\n  No thread can continue: " + std::to_string(at_barrier_) + " of " + std::to_string(alive_) +
           (alive_ == 1 ? " thread" : " threads") + (at_barrier_ == 1 ? " waits" : " wait") +
           " at __syncthreads()" + at_grid + ", and " + std::to_string(in_warps) +
           " for other lanes of their warp or tile\n" + places +
           "  Usual cause: a barrier or a _sync function inside an if that not all threads take, or a mask "
           "that names\n  lanes which never reach it.";
  launch_->note(f);
  launch_->abandon();
}

}  // namespace cuda_emulator

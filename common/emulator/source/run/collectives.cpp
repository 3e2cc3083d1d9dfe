// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What the lanes of a warp do together.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <utility>

#include "tell/findings.hpp"
#include "worker.hpp"

namespace cuda_emulator {
namespace {

bool is_shuffle(warp_operation operation) {
  return operation == warp_operation::shuffle || operation == warp_operation::shuffle_up ||
         operation == warp_operation::shuffle_down || operation == warp_operation::shuffle_xor;
}

/// The lane that a shuffle reads from; `lane` itself where the distance leaves the segment.
int source_lane(warp_operation operation, int lane, int parameter, int width) {
  const int segment = lane & ~(width - 1);
  switch (operation) {
    case warp_operation::shuffle:
      return segment + (parameter & (width - 1));
    case warp_operation::shuffle_up:
      return lane - parameter >= segment ? lane - parameter : lane;
    case warp_operation::shuffle_down:
      return lane + parameter < segment + width ? lane + parameter : lane;
    default:
      break;
  }
  // With a width below 32 a lane may read from earlier segments, but not from later ones.
  const int from = lane ^ parameter;
  return from < segment + width ? from : lane;
}

const char* name_of(warp_operation operation) {
  switch (operation) {
    case warp_operation::synchronize:
      return "__syncwarp()";
    case warp_operation::shuffle:
      return "__shfl_sync()";
    case warp_operation::shuffle_up:
      return "__shfl_up_sync()";
    case warp_operation::shuffle_down:
      return "__shfl_down_sync()";
    case warp_operation::shuffle_xor:
      return "__shfl_xor_sync()";
    case warp_operation::ballot:
      return "__ballot_sync()";
    case warp_operation::all:
      return "__all_sync()";
    case warp_operation::any:
      return "__any_sync()";
    case warp_operation::match_any:
      return "__match_any_sync()";
    case warp_operation::match_all:
      return "__match_all_sync()";
    case warp_operation::add:
      return "__reduce_add_sync()";
    case warp_operation::minimum_unsigned:
    case warp_operation::minimum_signed:
      return "__reduce_min_sync()";
    case warp_operation::maximum_unsigned:
    case warp_operation::maximum_signed:
      return "__reduce_max_sync()";
    case warp_operation::bit_and:
      return "__reduce_and_sync()";
    case warp_operation::bit_or:
      return "__reduce_or_sync()";
    case warp_operation::bit_xor:
      return "__reduce_xor_sync()";
    case warp_operation::active:
      return "__activemask()";
    case warp_operation::together:
      return "a matrix instruction";
  }
  return "";
}

}  // namespace

std::uint64_t worker::warp_collective(warp_operation operation, unsigned mask, std::uint64_t value,
                                      int parameter, int width, unsigned column, const void* pc) {
  const int warp = current_ / lanes_per_warp;
  const unsigned lane = 1u << current_ % lanes_per_warp;
  if (operation != warp_operation::active && (mask & lane) == 0) stop_unnamed_lane(mask, pc);
  if (watching_) observer_.settle(0);
  thread_slot& t = threads_[current_];
  t.pc = pc;
  t.value = value;
  t.operation = operation;
  t.mask = mask;
  t.parameter = parameter;
  t.width = width;
  t.column = column;
  warps_[warp].at_collective |= lane;
  warps_[warp].met |= lane;
  if (operation != warp_operation::active) finish_if_complete(warp, mask, operation);
  wait_here();
  return t.result;
}

/// Who calls must be named: the programming guide on all functions with a mask. A lane that is not would wait
/// for good.
void worker::stop_unnamed_lane(unsigned mask, const void* pc) {
  raw_finding f{.kind = finding_kind::unnamed_lane};
  f.block = f.other_block = block_;
  f.thread = f.other_thread = current_;
  f.pc = reinterpret_cast<std::uint64_t>(pc);
  f.mask = mask;
  launch_->note(f);
  launch_->abandon();
  abandon();
}

void worker::finish_if_complete(int warp, unsigned mask, warp_operation operation) {
  warp_state& w = warps_[warp];
  const unsigned needed = mask & w.alive;
  if (needed == 0 || (needed & ~w.at_collective) != 0) return;
  for (unsigned lanes = needed; lanes != 0; lanes &= lanes - 1) {
    const thread_slot& t = threads_[warp * lanes_per_warp + std::countr_zero(lanes)];
    if (t.mask != mask || t.operation != operation) return;
  }
  if (operation == warp_operation::together && !check_together(warp, needed)) return;
  if (watching_) check_skipped(warp, needed, mask);
  if (watching_ && is_shuffle(operation)) {
    check_shuffle(warp, needed);
    check_asked_lanes(warp, needed, mask);
  }
  finish_collective(warp, needed, operation);
}

/// The PTX ISA on instructions with .aligned: all threads of the warp execute the same one, and none has
/// exited. False: they cannot go on.
bool worker::check_together(int warp, unsigned lanes) {
  const int first = warp * lanes_per_warp, here = first + std::countr_zero(lanes);
  const auto work = [&](int thread) { return reinterpret_cast<const warp_work*>(threads_[thread].value); };
  raw_finding f{.kind = finding_kind::incomplete_warp};
  f.block = f.other_block = block_;
  f.thread = here;
  f.pc = reinterpret_cast<std::uint64_t>(threads_[here].pc);
  f.text = work(here)->name;
  f.arrived = std::popcount(lanes);
  f.missing = lanes_per_warp - f.arrived;
  if (lanes != ~0u) {
    f.other_thread = first + std::countr_one(lanes);
  } else {
    const int elsewhere = other_call(warp, lanes);
    if (elsewhere == nobody) return true;
    f.other_thread = elsewhere;
    f.other_pc = reinterpret_cast<std::uint64_t>(threads_[elsewhere].pc);
  }
  launch_->note(f);
  launch_->abandon();
  return false;
}

/// A value from a lane that does not take part is not defined: the programming guide's words on
/// `__shfl_sync()`. `lanes` are those that have come.
void worker::check_asked_lanes(int warp, unsigned lanes, unsigned mask) {
  const int first = warp * lanes_per_warp;
  for (unsigned rest = lanes; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const thread_slot& t = threads_[first + lane];
    const int from = source_lane(t.operation, lane, t.parameter, t.width);
    if ((lanes >> from & 1) != 0) continue;
    raw_finding f{.kind = finding_kind::absent_lane};
    f.block = f.other_block = block_;
    f.thread = first + lane;
    f.pc = reinterpret_cast<std::uint64_t>(t.pc);
    f.other_thread = first + from;
    if ((warps_[warp].met >> from & 1) != 0)
      f.met_pc = reinterpret_cast<std::uint64_t>(threads_[first + from].pc);
    f.mask = mask;
    launch_->note(f);
    return;
  }
}

/// The guide again: all lanes that the mask names and that have not exited must come. Here those that never
/// come have finished by now. One that has left at once is one that had exited; one that went on to use
/// memory behind this place had not.
void worker::check_skipped(int warp, unsigned lanes, unsigned mask) {
  const int first = warp * lanes_per_warp;
  const int here = std::countr_zero(lanes);
  const auto pc = reinterpret_cast<std::uint64_t>(threads_[first + here].pc);
  for (unsigned rest = mask & ~lanes; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const std::uint64_t beyond = observer_.accessed_beyond(lane, lanes, pc);
    if (beyond == 0) continue;
    raw_finding f{.kind = finding_kind::skipped_meeting};
    f.block = f.other_block = block_;
    f.thread = first + here;
    f.pc = pc;
    f.other_thread = first + lane;
    f.other_pc = beyond;
    f.mask = mask;
    launch_->note(f);
    return;
  }
}

void worker::finish_collective(int warp, unsigned lanes, warp_operation operation) {
  thread_slot* const slots = &threads_[warp * lanes_per_warp];
  const auto for_each = [lanes, slots](auto&& visit) {
    for (unsigned rest = lanes; rest != 0; rest &= rest - 1)
      visit(std::countr_zero(rest), slots[std::countr_zero(rest)]);
  };
  const auto fold = [&](std::uint64_t first, auto&& combine) {
    std::uint64_t result = first;
    for_each([&](int lane, thread_slot& t) { result = combine(result, t.value, lane); });
    for_each([&](int, thread_slot& t) { t.result = result; });
  };
  const auto as_signed = [](std::uint64_t value) { return static_cast<std::int32_t>(value); };
  using u64 = std::uint64_t;
  switch (operation) {
    case warp_operation::synchronize:
      break;
    case warp_operation::shuffle:
    case warp_operation::shuffle_up:
    case warp_operation::shuffle_down:
    case warp_operation::shuffle_xor:
      for_each([&](int lane, thread_slot& t) {
        const int from = source_lane(operation, lane, t.parameter, t.width);
        // What a lane that does not take part would give is not defined. All bits set are NaN, and show.
        t.result = (lanes >> from & 1) != 0 ? slots[from].value : ~u64{0};
      });
      break;
    case warp_operation::ballot:
      fold(0, [](u64 r, u64 v, int lane) { return r | v << lane; });
      break;
    case warp_operation::all:
      fold(1, [](u64 r, u64 v, int) { return r & v; });
      break;
    case warp_operation::any:
      fold(0, [](u64 r, u64 v, int) { return r | v; });
      break;
    case warp_operation::match_any:
      for_each([&](int, thread_slot& t) {
        t.result = 0;
        for_each(
            [&](int lane, const thread_slot& other) { t.result |= u64{other.value == t.value} << lane; });
      });
      break;
    case warp_operation::match_all: {
      bool equal = true;
      const u64 first = slots[std::countr_zero(lanes)].value;
      for_each([&](int, const thread_slot& t) { equal &= t.value == first; });
      for_each([&](int, thread_slot& t) { t.result = equal ? lanes : 0; });
      break;
    }
    case warp_operation::add:
      fold(0, [](u64 r, u64 v, int) { return r + v; });
      break;
    case warp_operation::minimum_unsigned:
      fold(~0u, [](u64 r, u64 v, int) { return r < v ? r : v; });
      break;
    case warp_operation::maximum_unsigned:
      fold(0, [](u64 r, u64 v, int) { return r > v ? r : v; });
      break;
    case warp_operation::minimum_signed:
      fold(0x7fffffffu, [&](u64 r, u64 v, int) { return as_signed(r) < as_signed(v) ? r : v; });
      break;
    case warp_operation::maximum_signed:
      fold(0x80000000u, [&](u64 r, u64 v, int) { return as_signed(r) > as_signed(v) ? r : v; });
      break;
    case warp_operation::bit_and:
      fold(~0u, [](u64 r, u64 v, int) { return r & v; });
      break;
    case warp_operation::bit_or:
      fold(0, [](u64 r, u64 v, int) { return r | v; });
      break;
    case warp_operation::bit_xor:
      fold(0, [](u64 r, u64 v, int) { return r ^ v; });
      break;
    case warp_operation::active:
      for_each([&](int, thread_slot& t) { t.result = lanes; });
      break;
    case warp_operation::together: {
      warp_work* all[lanes_per_warp];
      for_each([&](int lane, const thread_slot& t) { all[lane] = reinterpret_cast<warp_work*>(t.value); });
      all[0]->run(all);
      break;
    }
  }
  if (watching_ && observer_.records_steps()) record_collective(warp, lanes, operation);
  if (watching_ && operation != warp_operation::active)
    observer_.met(warp, lanes, lanes == warps_[warp].alive, operation == warp_operation::synchronize);
  warps_[warp].at_collective &= ~lanes;
  warps_[warp].runnable |= lanes;
}

/// For the steps of the block: what each lane has given, and got from whom.
void worker::record_collective(int warp, unsigned lanes, warp_operation operation) {
  const std::uint64_t group = observer_.next_group();
  // What lanes bring to a matrix instruction is an address of the emulated device's own.
  const bool has_values = operation != warp_operation::synchronize && operation != warp_operation::together,
             gives = has_values && operation != warp_operation::active;
  const thread_slot* const slots = &threads_[warp * lanes_per_warp];
  // Values travel as 64 bits, whatever their size.
  unsigned size = 4;
  for (unsigned rest = lanes; rest != 0; rest &= rest - 1)
    if (slots[std::countr_zero(rest)].value >> 32 != 0) size = 8;
  const auto value = [size](std::uint64_t bits) {
    lane_value result;
    result.size = static_cast<std::uint8_t>(size);
    std::memcpy(result.bytes, &bits, size);
    return result;
  };
  for (unsigned rest = lanes; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const thread_slot& t = slots[lane];
    step_trace::part_of_collective part{name_of(operation), group, lanes, -1, {}, {}};
    if (is_shuffle(operation)) part.from = source_lane(operation, lane, t.parameter, t.width);
    if (gives) part.given = value(t.value);
    if (has_values) part.got = value(t.result);
    observer_.note_collective(warp * lanes_per_warp + lane, part, reinterpret_cast<std::uint64_t>(t.pc));
  }
}

void worker::tile_exchange(unsigned size, const void* give, void* take, unsigned bytes, int source,
                           const void* pc) {
  if (watching_) observer_.settle(0);
  thread_slot& t = threads_[current_];
  t.pc = pc;
  t.width = static_cast<int>(size);
  t.parameter = source;
  t.value = bytes;
  t.give = give;
  t.take = take;
  warps_[current_ / lanes_per_warp].at_tile |= 1u << current_ % lanes_per_warp;
  ++at_tile_;
  if (watching_) observer_.note_barrier("sync() of a tile", reinterpret_cast<std::uint64_t>(pc));
  finish_tile_if_complete(current_);
  wait_here();
}

/// The tile of a thread that waits for it: free to go on once all of it that has not finished is there.
void worker::finish_tile_if_complete(int thread) {
  const int size = threads_[thread].width, first = thread / size * size,
            last = std::min(first + size, thread_count_);
  const int first_warp = first / lanes_per_warp, last_warp = (last + lanes_per_warp - 1) / lanes_per_warp;
  for (int w = first_warp; w < last_warp; ++w)
    if ((warps_[w].alive & ~warps_[w].at_tile) != 0) return;
  if (watching_) {
    check_tile(first, last, thread);
    observer_.tile_barrier();
  }
  const auto waits = [this](int i) {
    return (warps_[i / lanes_per_warp].at_tile >> i % lanes_per_warp & 1) != 0;
  };
  for (int i = first; i < last; ++i) {
    const thread_slot& t = threads_[i];
    if (!waits(i) || t.value == 0) continue;
    const auto copy = [&](void* to, int from) {
      if (from < last && waits(from))
        std::memcpy(to, threads_[from].give, t.value);
      else
        std::memset(to, 0xff, t.value);
    };
    if (t.parameter >= 0)
      copy(t.take, first + t.parameter);
    else
      for (int w = 0; w < size / lanes_per_warp; ++w)
        copy(static_cast<char*>(t.take) + static_cast<std::size_t>(w) * t.value, first + w * lanes_per_warp);
  }
  for (int w = first_warp; w < last_warp; ++w) {
    at_tile_ -= std::popcount(warps_[w].at_tile);
    warps_[w].runnable |= std::exchange(warps_[w].at_tile, 0);
  }
}

/// __activemask() is answered when the warp can go no further: the lanes that wait for it at one place are
/// together.
bool worker::resolve_active(int warp) {
  unsigned lanes = 0;
  const void* pc = nullptr;
  for (unsigned rest = warps_[warp].at_collective; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const thread_slot& t = threads_[warp * lanes_per_warp + lane];
    if (t.operation != warp_operation::active || (pc != nullptr && t.pc != pc)) continue;
    pc = t.pc;
    lanes |= 1u << lane;
  }
  if (lanes != 0) finish_collective(warp, lanes, warp_operation::active);
  return lanes != 0;
}

}  // namespace cuda_emulator

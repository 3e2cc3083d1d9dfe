// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The course of a launch: its blocks, their threads, the times by which accesses are ordered, and what fences
// and flags hand on. The rest of the class is in accesses.cpp, races.cpp, asynchronous_copies.cpp,
// texture_reads.cpp and steps.cpp.
#include "observer.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "device/devices.hpp"
#include "memory/device_memory.hpp"

namespace cuda_emulator {

constinit thread_local observer* current_observer __attribute__((tls_model("initial-exec"))) = nullptr;
observer* observers[most_workers] = {};

namespace {
constexpr std::uint32_t most_entries = 1 << 24;  // blocks of one launch that are remembered by each worker

template <class T>
T* reserve_array(std::size_t count) {
  void* memory = mmap(nullptr, count * sizeof(T), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? nullptr : static_cast<T*>(memory);
}
}  // namespace

observer::observer(observed& owner, shared_arena& shared, const copies_under_way& copies, unsigned number,
                   int device)
    : owner_(owner),
      shared_(shared),
      copies_(copies),
      number_(number),
      device_(device),
      partial_times_(reserve_array<lane_times>(32)),
      entries_(reserve_array<block_entry>(most_entries)),
      handed_(reserve_array<hand_over>(most_handed)) {
  if (shared_shadow_.reserve(shared_arena::total)) shared.watch(&shared_shadow_);
  observers[number] = this;
}

void observer::new_launch(int device) {
  for (observer* o : observers)
    if (o != nullptr && o->device_ == device) o->launch_begin_ = o->time_;
}

void observer::begin_launch(launch_state& launch) {
  launch_ = &launch;
  const device_memory& memory = device_memory::instance();
  device_first_ = memory.first_of(device_);
  device_begin_ = memory.base() + device_first_;
  device_span_ = device_count() == 1 ? memory.span() : memory.span_of_each();
  entry_count_.store(0, std::memory_order_relaxed);
  handed_count_.store(0, std::memory_order_relaxed);
  totals_ = {};
  touched_ = launch.notes_touches ? std::make_unique<touched_pages>() : nullptr;
  flags_ = touched_ != nullptr && launch.op != nullptr && device_count() > 1
               ? std::make_unique<flags_of_block>()
               : nullptr;
  // Blocks that wait for all others hand on to each other what they have seen and done.
  if (flags_ != nullptr && launch.request.shape.cooperative)
    flags_->heard = touch_mark::last, flags_->released = 1;
  for (auto& each : of_warp_) each = {};
}

/// What its warps loaded and stored is complete.
void observer::end_block() {
  if (flags_ != nullptr) end_flags_of_block();
  if (std::exchange(is_parked_, false)) return;
  const int warps = (launch_->threads_per_block + 31) / 32;
  for (int w = 0; w < warps; ++w) {
    const warp_work_seen& seen = of_warp_[w];
    totals_.idle.add_warp(block_ * 32 + static_cast<std::uint64_t>(w), seen.loads, seen.stored);
    totals_.longest_way = std::max(totals_.longest_way, *std::max_element(seen.way, seen.way + 32));
    of_warp_[w] = {};
  }
}

void observer::begin_block(std::uint64_t block) {
  end_block();
  block_ = block;
  begin_interval_of_block();
  const bool recording = block_ == launch_->traced_block;
  if (recording) recorded_ = std::make_unique<block_trace>(*launch_);
  if (recording && launch_->step_values != 0)
    recorded_steps_ = std::make_unique<step_trace>(*recorded_, launch_->step_values);
  record_here();
}

/// Into the trace of the block, if it is the one that has a trace.
void observer::record_here() {
  const bool recording = block_ == launch_->traced_block;
  steps_ = recording ? recorded_steps_.get() : nullptr;
  trace_.record_to(recording ? recorded_.get() : nullptr);
  trace_.record_steps_to(steps_);
}

std::vector<observer::warp_work_seen> observer::park() {
  const int warps = (launch_->threads_per_block + 31) / 32;
  std::vector<warp_work_seen> seen(of_warp_, of_warp_ + warps);
  for (auto& each : of_warp_) each = {};
  is_parked_ = true;
  if (steps_ != nullptr) steps_->release();
  return seen;
}

void observer::resume(std::uint64_t block, const std::vector<warp_work_seen>& seen) {
  end_block();
  block_ = block;
  std::copy(seen.begin(), seen.end(), of_warp_);
  begin_interval_of_block();
  record_here();
}

/// Nothing that is noted so far is of the part of the block that begins now.
void observer::begin_interval_of_block() {
  last_wide_access_.address = nullptr;
  block_begin_ = interval_begin_ = ++time_;
  const std::uint32_t count = entry_count_.load(std::memory_order_relaxed);
  if (entries_ != nullptr && count < most_entries) {
    entries_[count].begin = time_;
    entries_[count].block = block_;
    entries_[count].first_handed = handed_count_.load(std::memory_order_relaxed);
    entry_count_.store(count + 1, std::memory_order_release);
  }
  for (int w = 0; w < 32; ++w) {
    warp_time_[w] = time_;
    partial_[w] = false;
    acquired_[w] = 0;
  }
  block_acquired_ = false;
  clocks_.begin_block();
}

void observer::barrier() {
  ++totals_.barriers;
  if (recorded_ != nullptr) recorded_->barrier();
  if (steps_ != nullptr) steps_->release();
  clocks_.barrier();
  tile_barrier();
}

void observer::tile_barrier() {
  interval_begin_ = ++time_;
  for (int w = 0; w < 32; ++w) {
    warp_time_[w] = time_;
    partial_[w] = false;
  }
}

// Shuffles and votes bring lanes together, but they are no memory barriers: only __syncwarp() is.
void observer::met(int warp, unsigned lanes, bool everybody, bool orders_memory) {
  if (everybody) fold(warp);
  if (!orders_memory) return;
  clocks_.met(warp, lanes);
  ++time_;
  if (everybody) {
    warp_time_[warp] = time_;
    partial_[warp] = false;
    return;
  }
  if (partial_times_ == nullptr) return;
  lane_times& t = partial_times_[warp];
  if (!partial_[warp]) {
    partial_[warp] = true;
    for (int a = 0; a < 32; ++a) {
      t.own[a] = warp_time_[warp];
      for (int b = 0; b < 32; ++b) t.seen[a][b] = warp_time_[warp];
    }
  }
  // What came before one of them now came before all of them.
  for (int b = 0; b < 32; ++b) {
    std::uint64_t latest = 0;
    for (unsigned rest = lanes; rest != 0; rest &= rest - 1)
      latest = std::max(latest, t.seen[std::countr_zero(rest)][b]);
    if ((lanes >> b & 1) != 0) latest = time_;
    for (unsigned rest = lanes; rest != 0; rest &= rest - 1) t.seen[std::countr_zero(rest)][b] = latest;
  }
  for (unsigned rest = lanes; rest != 0; rest &= rest - 1) t.own[std::countr_zero(rest)] = time_;
}

void observer::become(int thread) {
  current_ = thread;
  const int warp = thread / 32;
  current_time_ = std::max(partial_[warp] ? partial_times_[warp].own[thread % 32] : warp_time_[warp],
                           thread_fence_[thread]);
  if (clocks_.used()) current_time_ = std::max(current_time_, own_time_[thread]);
}

std::uint64_t observer::accesses() const {
  std::uint64_t sum = 0;
  for (const auto* each : {&totals_.loads, &totals_.stores})
    for (const std::uint64_t& count : *each) sum += __atomic_load_n(&count, __ATOMIC_RELAXED);
  return sum;
}

/// What the thread does from now on comes after its fence.
void observer::fence() {
  current_time_ = thread_fence_[current_] = last_fence_ = ++time_;
  hand_over_by(true);
  if (flags_ == nullptr) return;
  flags_->fenced.take(flags_->latest, 0);
  hear();
}

void observer::end_flags_of_block() {
  touched_->take(flags_->fenced, flags_->released);
  touched_->take(flags_->latest, flags_->released);
  if (flags_->released == 0) flags_->heard = 0;
  if (std::exchange(flags_->any_seen, false)) std::fill_n(flags_->seen, std::size(flags_->seen), nullptr);
}

/// A volatile or atomic access in memory that several devices may use. Behind a fence it releases what came
/// before the fence; a volatile read acquires with the fence that comes behind it.
void observer::talk(const volatile void* address, access_kind kind) {
  if (kind != access_kind::write && launch_->flags.changes() != 0) {
    flags_->seen[current_] = address;
    flags_->any_seen = true;
  }
  if (only_reads(kind) || last_fence_ < block_begin_) return;
  const unsigned number = launch_->flags.release(*launch_->op, address);
  touched_->take(flags_->fenced, flags_->released != 0 ? flags_->released : number);
}

void observer::hear() {
  if (flags_ == nullptr || flags_->seen[current_] == nullptr) return;
  const std::uint64_t changes = launch_->flags.changes();
  const volatile void* const flag = std::exchange(flags_->seen[current_], nullptr);
  if (flags_->known == flag && flags_->known_changes == changes && flags_->heard != 0) return;
  flags_->known = flag;
  flags_->known_changes = changes;
  const unsigned number = launch_->flags.hear(*launch_->op, flag);
  flags_->heard = static_cast<std::uint8_t>(std::max<unsigned>(flags_->heard, number));
}

/// An atomic, or a volatile store, in global memory. Without a fence before it, it hands nothing on, and
/// twice the same is kept once.
void observer::note_release() {
  if (last_fence_ < block_begin_) return;
  auto& known = released_[current_];
  if (known.fence == last_fence_ && known.interval == interval_begin_) return;
  known = {last_fence_, interval_begin_};
  hand_over_by(false);
}

void observer::hand_over_by(bool fence) {
  const std::uint32_t count = handed_count_.load(std::memory_order_relaxed);
  if (handed_ == nullptr || count == most_handed) return;
  const int warp = current_ / 32;
  handed_[count] = {time_, interval_begin_,
                    partial_[warp] ? partial_times_[warp].own[current_ % 32] : warp_time_[warp],
                    static_cast<std::uint16_t>(current_), fence};
  handed_count_.store(count + 1, std::memory_order_release);
}

count_totals observer::end_launch() {
  writing_ = 0;
  end_block();
  for (const racing_write& w : std::exchange(racing_writes_, {})) launch_->values_differ(w.pc, w.other_pc);
  unsettled_ = false;
  if (launch_->aborted) trace_.forget();
  trace_.record_to(nullptr);
  trace_.record_steps_to(nullptr);
  if (recorded_ != nullptr) {
    launch_->trace = recorded_->text(recorded_steps_ != nullptr ? recorded_steps_->text() : "");
    steps_ = nullptr;
    recorded_steps_.reset();
    recorded_.reset();
  }
  if (touched_ != nullptr && !touched_->empty()) launch_->touched.push_back(std::move(touched_));
  touched_.reset();
  return totals_;
}

const block_entry* observer::entry_at(std::uint64_t time) const {
  std::uint32_t low = 0, high = entry_count_.load(std::memory_order_acquire);
  while (low < high) {  // the last entry that begins at `time` or before
    const std::uint32_t middle = (low + high) / 2;
    if (entries_[middle].begin <= time)
      low = middle + 1;
    else
      high = middle;
  }
  return low == 0 ? nullptr : &entries_[low - 1];
}

}  // namespace cuda_emulator

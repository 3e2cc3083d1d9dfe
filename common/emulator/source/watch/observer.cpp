// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "observer.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <mutex>
#include <utility>
#include <vector>

#include "code/program_segments.hpp"
#include "device/builtins.hpp"
#include "device/devices.hpp"
#include "memory/device_memory.hpp"
#include "memory/registered_ranges.hpp"
#include "sites.hpp"

namespace cuda_emulator {

constinit thread_local observer* current_observer __attribute__((tls_model("initial-exec"))) = nullptr;
observer* observers[most_workers] = {};

namespace {
constexpr std::uint32_t most_entries = 1 << 24;  // blocks of one launch that are remembered by each worker

/// threadIdx and its like; clang reports reads of them.
bool is_builtin(const volatile void* address) {
  const auto wanted = reinterpret_cast<std::uintptr_t>(address);
  for (const uint3* each : {&threadIdx, &blockIdx, &blockDim, &gridDim})
    if (wanted - reinterpret_cast<std::uintptr_t>(each) < sizeof(uint3)) return true;
  return false;
}

/// What all of sizeof(Word) states have in common, of the two bits that checks look at.
template <class Word>
unsigned common_bits(const std::uint8_t* states) {
  constexpr Word each = static_cast<Word>(0x0101010101010101ull);
  Word word;
  std::memcpy(&word, states, sizeof word);
  return ((word & each * state_usable) == each * state_usable ? state_usable : 0u) |
         ((word & each * state_defined) == each * state_defined ? state_defined : 0u);
}

[[gnu::always_inline]] inline unsigned common_bits(const std::uint8_t* states, unsigned size) {
  if (size == 4) return common_bits<std::uint32_t>(states);
  if (size == 8) return common_bits<std::uint64_t>(states);
  unsigned all = state_usable | state_defined;
  for (unsigned i = 0; i < size; ++i) all &= states[i];
  return all;
}

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

bool observer::locate(const volatile void* address, unsigned size, place& result) {
  const auto* bytes = const_cast<const char*>(static_cast<const volatile char*>(address));
  if (auto offset = static_cast<std::size_t>(bytes - device_begin_); offset < device_span_) {
    offset += device_first_;
    result = {space::global, offset, offset, global_shadow.states != nullptr ? &global_shadow : nullptr};
    return true;
  }
  if (shared_.contains(bytes)) {
    const std::size_t offset = shared_.offset_of(bytes);
    result = {space::shared, offset, offset, shared_shadow_.states != nullptr ? &shared_shadow_ : nullptr};
    return true;
  }
  const variable_record* variable = last_variable_;
  if (variable == nullptr || bytes < variable->begin || bytes >= variable->begin + variable->size)
    variable = find_variable(bytes);
  if (variable != nullptr && bytes + size <= variable->begin + variable->size) {
    last_variable_ = variable;
    const auto offset = static_cast<std::size_t>(bytes - variable->begin);
    const space where = variable->space == memory_space::constant ? space::constant : space::global;
    // Variables begin where the linker put them; counts must not depend on that.
    result = {where,
              offset,
              (std::uint64_t{variable->number} << 32 & 0xfffffffffffull) + offset,
              variable->shadow,
              true,
              variable->awaits_copy};
    return true;
  }
  return locate_peer(bytes, result);
}

/// The memory of the other devices, and what host and device share, which lies there, too.
bool observer::locate_peer(const char* address, place& result) const {
  const device_memory& memory = device_memory::instance();
  if (device_count() == 1 || !memory.contains(address)) return false;
  const auto offset = static_cast<std::size_t>(address - memory.base());
  result = {space::global, offset, offset, global_shadow.states != nullptr ? &global_shadow : nullptr};
  result.of_peer = result.shadow == nullptr || (result.shadow->states[offset] & state_of_host) == 0;
  return true;
}

void observer::note_peer(const place& p, const volatile void* address, unsigned size, access_kind kind,
                         std::uint64_t pc) {
  const bool usable = p.shadow == nullptr || (p.shadow->states[p.offset] & state_usable) != 0;
  if (const int peer = device_memory::instance().device_of(const_cast<const void*>(address));
      usable && !reaches(device_, peer)) {
    report(finding_kind::other_device, address, size, kind, pc);
    launch_->abandon();
    owner_.abandon();
  }
  if (kind != access_kind::write) totals_.peer_load_bytes += size;
  if (!only_reads(kind)) totals_.peer_store_bytes += size;
}

/// Neither memory of the device nor the thread's own: what a GPU could not reach at all.
void observer::foreign(const volatile void* address, unsigned size, access_kind kind, std::uint64_t pc) {
  const auto* const meant = static_cast<const volatile char*>(address) - wrapped(address, size);
  // An index of 32 bits below zero leads past all memory of the device where the system grants few addresses.
  const auto* const below_zero = static_cast<const volatile char*>(address) - (std::uint64_t{size} << 32);
  const bool past_known = shared_.contains(const_cast<const char*>(meant)) ||
                          near_variable(meant) != nullptr ||
                          device_memory::instance().near(const_cast<const char*>(below_zero));
  report(past_known ? finding_kind::out_of_bounds : finding_kind::host_pointer, address, size, kind, pc);
  launch_->abandon();
  owner_.abandon();
  __builtin_unreachable();  // g++ does not take a virtual function for one that never returns
}

bool observer::observe(const volatile void* address, unsigned size, access_kind kind, std::uint64_t pc,
                       unsigned unit, bool reads) {
  is_volatile_ = std::exchange(next_is_volatile_, false);
  settle(pc);
  place p;
  if (!locate(address, size, p)) {
    if (is_builtin(address) || owner_.on_stack(const_cast<const void*>(address)) ||
        is_read_only(const_cast<const void*>(address)))
      return false;
    const auto range = registered_at(const_cast<const void*>(address));
    const bool allowed =
        range && (kind == access_kind::read || (range->flags & cudaHostRegisterReadOnly) == 0);
    if (allowed && const_cast<const char*>(static_cast<const volatile char*>(address)) + size <=
                       range->begin + range->size) {
      p = {space::global, 0, reinterpret_cast<std::uint64_t>(address) & 0xfffffffffffull, nullptr};
    } else {
      foreign(address, size, kind, pc);
    }
  }
  if (p.of_peer) [[unlikely]]
    note_peer(p, address, size, kind, pc);
  if (touched_ != nullptr && p.where != space::shared) [[unlikely]] {
    talks_ = is_volatile_ && device_count() > 1;
    const bool strong =
        flags_ != nullptr && (is_volatile_ || kind == access_kind::atomic || kind == access_kind::swap);
    if (strong && !only_reads(kind)) talk(address, kind);  // before others can see it
    note_touch(address, size, kind);
    if (strong && only_reads(kind)) talk(address, kind);
  }
  const auto s = static_cast<int>(p.where);
  if (kind == access_kind::read) {
    ++totals_.loads[s];
    totals_.load_bytes[s] += size;
    if (p.where == space::global)
      ++of_warp_[current_ / 32].loads[current_ % 32];
    else if (copies_.to_shared.used() && p.where == space::shared)
      totals_.loads_beside_copies += copies_.to_shared.any(current_);
    if (is_volatile_ && p.where == space::global) block_acquired_ = true;
  } else if (kind == access_kind::write) {
    if (is_volatile_ && p.where == space::global) note_release();
    ++totals_.stores[s];
    totals_.store_bytes[s] += size;
    of_warp_[current_ / 32].stored |= 1u << current_ % 32;
  } else {
    block_acquired_ = true;
    acquired_[current_ / 32] |= 1u << current_ % 32;
    of_warp_[current_ / 32].stored |= 1u << current_ % 32;
    if (p.where == space::global) note_release();
  }
  const std::uint16_t number = sites.number({pc, kind, size, unit, is_volatile_});
  if ((reinterpret_cast<std::uintptr_t>(address) & (size - 1)) != 0) misaligned(address, size, kind, pc);
  if (p.shadow != nullptr) {
    const bool as_usual = p.initialized || check_states(p, address, size, kind, reads, pc);
    const bool watched = p.initialized || (p.shadow->states[p.offset] & state_unwatched) == 0;
    if (p.where != space::constant && watched && as_usual) check_races(p, address, size, kind, number, pc);
  }
  if (p.awaits_copy && kind == access_kind::read &&
      (common_bits(p.shadow->states + p.offset, size) & state_defined) == 0)
    check_copied(p, address, size, pc);
  if (p.where == space::constant && kind != access_kind::read)
    report(finding_kind::out_of_bounds, address, size, kind, pc);
  if (steps_ != nullptr) {
    const bool there =
        p.shadow == nullptr || p.initialized || (p.shadow->states[p.offset] & state_usable) != 0;
    if (there) record_access(address, size, kind, pc);
  }
  return trace_.add(static_cast<int>(static_cast<unsigned>(current_) % 32), p.where, p.counted, number);
}

/// Constant memory without a value of its own, of which not all is defined.
void observer::check_copied(const place& p, const volatile void* address, unsigned size, std::uint64_t pc) {
  if (!only_gaps_unwritten(p, address, size, pc))
    report(finding_kind::uncopied_constant, address, size, access_kind::read, pc);
}

void observer::record_access(const volatile void* address, unsigned size, access_kind kind,
                             std::uint64_t pc) {
  steps_->access(current_, trace_.entries(current_ % 32), const_cast<const void*>(address), size,
                 !plainly_writes(kind), pc);
}

void observer::fold_with_steps(int warp) {
  steps_->begin_fold(warp);
  trace_.fold(totals_);
  steps_->end_fold(warp);
}

void observer::note_line(std::uint64_t pc) {
  if (steps_ != nullptr) add_event(steps_->note_line(current_, pc));
}

void observer::note_numbers(const char* name, long long element, number_type type, const void* value,
                            std::uint64_t pc) {
  if (steps_ != nullptr) add_event(steps_->note(current_, name, element, type, value, pc));
}

void observer::note_local_array(const char* name, void* begin, number_type of, std::size_t count,
                                bool initialized, std::uint64_t pc) {
  if (steps_ == nullptr || !owner_.on_stack(begin)) return;
  const std::size_t size = static_cast<std::size_t>(of.bytes) * of.count;
  steps_->local_array(current_, name, begin, size, count);
  auto* const bytes = static_cast<unsigned char*>(begin);
  if (!initialized) std::memset(bytes, 0xff, size * count);
  for (std::size_t i = 0; initialized && i < count; ++i) note_element(bytes + i * size, of, pc);
}

void observer::note_element(const void* element, number_type type, std::uint64_t pc) {
  if (steps_ == nullptr) return;
  const auto [name, index] = steps_->local_element(current_, element);
  if (name != nullptr) add_event(steps_->note(current_, name, index, type, element, pc));
}

void observer::note_address(const char* name, const volatile void* pointer, number_type of,
                            std::uint64_t pc) {
  place p;
  if (steps_ == nullptr || pointer == nullptr || !locate(pointer, 1, p)) return;
  steps_->array(name, p.where, p.counted, of, {0, 0, 0, 0});
  add_event(steps_->note_address(current_, name, p.where, p.counted, pc));
}

void observer::note_array(const char* name, const volatile void* begin, number_type of,
                          const std::size_t (&extents)[4]) {
  place p;
  if (steps_ != nullptr && begin != nullptr && locate(begin, 1, p))
    steps_->array(name, p.where, p.counted, of, extents);
}

void observer::note_atomic(const char* name, std::uint64_t old, unsigned size) {
  hear();
  if (steps_ != nullptr) steps_->atomic(current_, name, old, size);
}

void observer::note_barrier(const char* name, std::uint64_t pc) {
  if (steps_ != nullptr) add_event(steps_->barrier(current_, name, pc));
}

void observer::note_return(int thread) {
  settle(0);
  if (steps_ != nullptr) trace_.add_event(thread % 32, steps_->leave(thread));
}

void observer::note_collective(int thread, const step_trace::part_of_collective& part, std::uint64_t pc) {
  trace_.add_event(thread % 32, steps_->collective(thread, part, pc));
}

void observer::fetch(const void* address, unsigned size, const texel& which, bool may_change,
                     std::uint64_t pc) {
  if (recorded_ != nullptr) recorded_->add_texel(which.x, which.y, which.z);
  fetching_ = &which;
  talks_ = false;
  if (touched_ != nullptr) note_touch(address, size, access_kind::fetch);
  place p;
  const bool located = locate(address, size, p);
  if (located && p.of_peer) note_peer(p, address, size, access_kind::fetch, pc);
  if (located && p.shadow != nullptr) {
    if (!p.initialized) check_states(p, address, size, access_kind::fetch, true, pc);
    const bool watched = p.initialized || (p.shadow->states[p.offset] & state_unwatched) == 0;
    if (may_change && watched)
      check_races(p, address, size, access_kind::fetch, sites.number({pc, access_kind::fetch, size, 0}), pc);
  }
  fetching_ = nullptr;
}

bool observer::end_fetch(unsigned element_bytes, std::uint64_t pc) {
  const std::uint16_t number = sites.number({pc, access_kind::fetch, element_bytes, 0});
  return number != site_table::unknown && trace_.add(current_ % 32, space::texture, fetch_number_, number);
}

void observer::refuse_fetch(finding_kind kind, std::uint64_t texture, const char* why, std::uint64_t pc) {
  raw_finding f{.kind = kind};
  f.what = access_kind::fetch;
  f.block = block_;
  f.thread = current_;
  f.pc = pc;
  f.fetched = true;
  f.texture = texture;
  f.text = why;
  launch_->note(f);
}

void observer::misaligned(const volatile void* address, unsigned size, access_kind kind, std::uint64_t pc) {
  report(finding_kind::misaligned, address, size, kind, pc);
  if (size < 16) return;  // the CPU does it all the same
  launch_->abandon();
  owner_.abandon();
}

void observer::note_wide_access(const void* address, access_kind kind, std::uint64_t pc) {
  last_wide_access_.address = address;
  last_wide_access_.size = 16;
  last_wide_access_.what = kind;
  last_wide_access_.pc = pc;
  last_wide_access_.block = block_;
  last_wide_access_.thread = current_;
}

bool observer::check_states(const place& p, const volatile void* address, unsigned size, access_kind kind,
                            bool reads, std::uint64_t pc) {
  std::uint8_t* states = p.shadow->states + p.offset;
  const unsigned all = common_bits(states, size);
  if ((all & state_usable) == 0) {
    report(finding_kind::out_of_bounds, address, size, kind, pc);
    return wrapped(address, size) == 0;  // blocks meet there that mean memory of their own
  }
  if ((all & state_defined) != 0) return true;
  if (std::any_of(states, states + size, [](std::uint8_t s) { return (s & state_under_way) != 0; })) {
    report_under_way(address, size, kind, pc);
    return false;
  }
  if (kind != access_kind::write && reads && !only_gaps_unwritten(p, address, size, pc))
    report(finding_kind::uninitialized_read, address, size, kind, pc);
  if (!only_reads(kind))
    for (unsigned i = 0; i < size; ++i) states[i] |= state_defined;
  return true;
}

/// Before the copy lands the target counts as not written: so the accesses that must be reported are noticed
/// where such memory is, at no cost to others.
void observer::begin_copy(copy_under_way& copy) {
  of_warp_[current_ / 32].stored |= 1u << current_ % 32;
  begin_target(copy);
  begin_source(copy);
}

void observer::begin_target(const copy_under_way& copy) {
  // A bulk copy is looked at in pieces that a thread could write.
  const unsigned piece = std::min(copy.size, 16u);
  const access_kind kind = copy.at_barrier ? access_kind::delivery : access_kind::landing;
  for (unsigned done = 0; done < copy.size; done += piece) {
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
  for (unsigned done = 0; done < copy.size; done += 16)
    check_piece(copy.from + done, 16, access_kind::read, copy.pc);
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

/// A structure is copied whole, with the gaps that alignment leaves behind its members, and nobody writes
/// those. A gap follows a member, ends where the next one may begin, and is shorter than the alignment.
bool observer::only_gaps_unwritten(const place& p, const volatile void* address, unsigned size,
                                   std::uint64_t pc) const {
  const auto* first = static_cast<const volatile char*>(address);
  const volatile char* object = first;
  std::ptrdiff_t object_size = size;
  unsigned alignment = size == 16 ? 8 : 1;  // 16 bytes that g++ names at once may be a float and a double
  if (object_.pc == pc && first >= object_.begin && first + size <= object_.begin + object_.size &&
      static_cast<std::size_t>(first - object_.begin) <= p.offset &&
      p.offset - static_cast<std::size_t>(first - object_.begin) + object_.size <= p.shadow->size) {
    object = object_.begin;
    object_size = static_cast<std::ptrdiff_t>(object_.size);
    alignment = object_.alignment;
  }
  const std::uint8_t* const of_object = p.shadow->states + p.offset - (first - object);
  for (std::ptrdiff_t i = first - object, end = i + size; i < end; ++i) {
    if ((of_object[i] & state_defined) != 0) continue;
    std::ptrdiff_t from = i, to = i + 1;
    while (from > 0 && (of_object[from - 1] & state_defined) == 0) --from;
    while (to < object_size && (of_object[to] & state_defined) == 0) ++to;
    const auto next = reinterpret_cast<std::uintptr_t>(object + to);
    const auto next_alignment = std::min<std::uintptr_t>(next & (~next + 1), alignment);
    if (from == 0 || static_cast<std::uintptr_t>(to - from) >= next_alignment) return false;
  }
  return true;
}

void observer::report(finding_kind kind, const volatile void* address, unsigned size, access_kind what,
                      std::uint64_t pc, std::uint64_t other, bool same_value) {
  raw_finding f = found(kind, address, size, what, pc, other);
  f.same_value = same_value;
  launch_->note(f);
}

/// How many bytes beyond what was meant the address lies, if an index of 32 bits below zero, as from
/// threadIdx.x - 1, leads there; else 0.
std::uint64_t observer::wrapped(const volatile void* address, unsigned size) const {
  const auto* const at = const_cast<const char*>(static_cast<const volatile char*>(address));
  if (shared_.contains(at) || device_memory::instance().near(at) || near_variable(at) != nullptr) return 0;
  const auto offset = static_cast<std::uint64_t>(at - static_cast<const char*>(shared_.at(0)));
  const auto beyond = [&](const placed_variable& v) -> std::uint64_t {
    if (v.name == nullptr) return 0;
    std::vector<std::uint64_t> wraps = wraps_of(v.element_size, v.shape);
    wraps.push_back(std::uint64_t{size} << 32);  // dynamic memory is often declared as bytes
    for (const std::uint64_t bytes : wraps)
      if (offset - bytes - v.offset + 4096 < 4096 + v.size) return bytes;
    return 0;
  };
  {
    const std::lock_guard lock(launch_->shared.mutex());
    for (const placed_variable& v : launch_->shared.variables())
      if (const std::uint64_t bytes = beyond(v); bytes != 0) return bytes;
    if (const std::uint64_t bytes = beyond(launch_->shared.dynamic_variable()); bytes != 0) return bytes;
  }
  if (const std::uint64_t of_variable = bytes_beyond_variable(at); of_variable != 0) return of_variable;
  return owner_.on_stack(at - (std::uint64_t{size} << 32)) ? std::uint64_t{size} << 32 : 0;
}

raw_finding observer::found(finding_kind kind, const volatile void* address, unsigned size, access_kind what,
                            std::uint64_t pc, std::uint64_t other) const {
  raw_finding f{.kind = kind};
  f.address = const_cast<const void*>(address);
  f.size = size;
  f.what = what;
  f.block = block_;
  f.thread = current_;
  f.pc = pc;
  f.standing = !lands_;
  if (fetching_ != nullptr) {
    f.fetched = true;
    f.texture = fetching_->texture;
    f.texel_x = fetching_->x;
    f.texel_y = fetching_->y;
    f.texel_z = fetching_->z;
  }
  if (kind == finding_kind::out_of_bounds || kind == finding_kind::host_pointer)
    f.wrapped = wrapped(f.address, size);
  if (shared_.contains(static_cast<const char*>(f.address) - f.wrapped))
    f.shared_offset = shared_.offset_of(f.address);
  if (other != 0) {
    const stamp s(other);
    const site place = sites.at(s.site());
    f.other_thread = s.thread();
    f.other_what = place.kind;
    f.other_pc = place.pc;
    const observer* owner = observers[s.worker()];
    const block_entry* entry = owner != nullptr ? owner->entry_at(s.time()) : nullptr;
    f.other_block = entry != nullptr ? entry->block : ~0ull;
    f.fenced = entry != nullptr && kind == finding_kind::race && fenced_elsewhere(s);
  }
  return f;
}

}  // namespace cuda_emulator

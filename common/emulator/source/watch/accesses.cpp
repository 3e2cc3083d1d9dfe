// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Each access of a kernel: where it lies, as what it counts, whether the memory allows it, what is found.
#include <algorithm>
#include <cstring>
#include <mutex>
#include <utility>
#include <vector>

#include "code/program_segments.hpp"
#include "device/builtins.hpp"
#include "device/devices.hpp"
#include "memory/device_memory.hpp"
#include "memory/registered_ranges.hpp"
#include "observer.hpp"
#include "sites.hpp"

namespace cuda_emulator {
namespace {

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

}  // namespace

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

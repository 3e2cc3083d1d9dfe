// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "device_memory.hpp"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <map>
#include <mutex>
#include <utility>

#include "address_ranges.hpp"
#include "device/devices.hpp"
#include "device/settings.hpp"
#include "device/system_page.hpp"
#include "shadow.hpp"
#include "shared_memory.hpp"

namespace cuda_emulator {
namespace {

constexpr std::size_t round_up(std::size_t value, std::size_t to) { return (value + to - 1) / to * to; }

/// Behind each allocation as much again, up to 16 MiB: a row or a block too far still hits nothing.
std::size_t gap_after(std::size_t size) { return std::clamp<std::size_t>(size, 64 << 10, 16 << 20); }

// Never destroyed: the search for leaks comes after all that is.
std::mutex& mutex = *new std::mutex;
std::map<std::size_t, allocation>& live = *new std::map<std::size_t, allocation>;  // by offset of the begin
std::deque<allocation>& gone = *new std::deque<allocation>;  // the last ones that were freed
std::map<std::size_t, written_part>& parts_written = *new std::map<std::size_t, written_part>;  // likewise
std::map<const char*, lost_part>& parts_lost = *new std::map<const char*, lost_part>;  // by their begin
constexpr std::size_t most_gone = 10000;
/// Allocations of kernels lie in pieces of this size, side by side: a thread may well want sixteen bytes.
constexpr std::size_t heap_piece = 1 << 20, heap_gap = 256;
struct device_heap {
  std::size_t limit = 8 << 20, used = 0;
  std::size_t next = 0, end = 0;  // of the last piece: what is free of it
  struct piece {
    std::size_t size, living;
  };
  std::map<std::size_t, piece> pieces;  // by where they begin
  bool begun = false;
};
struct part {
  std::size_t next_offset = 1 << 20, used = 0;
  device_heap heap;
};
part* const parts = new part[most_devices];  // of each device
std::uint32_t numbers = 0;

/// What the kernel says is left, in bytes.
std::size_t available_memory() {
  std::size_t kibibytes = 0;
  if (std::FILE* file = std::fopen("/proc/meminfo", "r")) {
    char line[128];
    while (std::fgets(line, sizeof line, file) != nullptr)
      if (std::sscanf(line, "MemAvailable: %zu kB", &kibibytes) == 1) break;
    std::fclose(file);
  }
  if (kibibytes == 0) return static_cast<std::size_t>(sysconf(_SC_AVPHYS_PAGES)) * system_page();
  return kibibytes * 1024;
}

/// Watching for races takes up to six times the memory that kernels use: not more than half of what there is.
std::size_t watched = 0, most_watched = 0;

bool watch(std::size_t size) {
  if (watched + size <= most_watched) {
    watched += size;
    return true;
  }
  static bool said = false;
  if (settings().checking && !std::exchange(said, true))
    std::fprintf(
        stderr,
        "emulated device: races are not watched in memory that is allocated from now on, because recording "
        "its accesses would take more than half of the memory of this machine. All other checks continue.\n");
  return false;
}

void forget(const allocation& a, const char* base) {
  if (a.watched) watched -= a.size;
  parts_lost.erase(parts_lost.lower_bound(a.begin), parts_lost.lower_bound(a.begin + a.size));
  global_shadow.forget(static_cast<std::size_t>(a.begin - base), a.size);
}

}  // namespace

device_memory& device_memory::instance() {
  static device_memory memory;
  return memory;
}

namespace {

constexpr std::size_t least_span = std::size_t{1} << 28;
/// What is noted about each address of memory takes 31 more. Of a limit, a quarter stays the program's.
std::size_t most_span() {
  constexpr std::size_t most = std::size_t{1} << 40;
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return most;
  return std::clamp(limit.rlim_cur / 4 * 3 / 32 / (2 << 20) * (2 << 20), least_span, most);
}

/// Below all that programs have, as a rule, so that one comparison tells host code that its memory is not the
/// device's (see tell_host_code()). The system may choose another place. The lower half of such an address is
/// none of shared memory: PTX that cuts a pointer in two is found.
constexpr std::uintptr_t wanted_address = (std::uintptr_t{1} << 44) + (std::uintptr_t{1} << 31);

constexpr std::size_t arena_bytes = round_up(shared_arena::total, largest_page);
constexpr std::size_t arenas_bytes = most_workers * arena_bytes;

}  // namespace

bool device_memory::reserve(std::size_t span) {
  void* memory = mmap(reinterpret_cast<void*>(wanted_address), arenas_bytes + span, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return false;
  madvise(memory, arenas_bytes + span, MADV_DONTDUMP);
  base_ = static_cast<char*>(memory) + arenas_bytes;
  span_ = span;
  each_ = span / static_cast<std::size_t>(device_count()) / largest_page * largest_page;
  first_of_memory = reinterpret_cast<std::uintptr_t>(base_);
  device_addresses.set(memory, arenas_bytes + span);
  tell_host_code();
  return true;
}

char* device_memory::next_arena() {
  static std::atomic<std::size_t> taken{0};
  const std::size_t number = taken++;
  return number < most_workers ? base_ - arenas_bytes + number * arena_bytes : nullptr;
}

bool device_memory::ever_used() { return numbers != 0; }

device_memory::device_memory() {
  // Checking needs about as much again as what kernels touch several times over (see README.md).
  const std::size_t available = available_memory();
  most_of_host_ = available / 4 * 3 / (2 << 20) * (2 << 20);
  total_ = available / static_cast<std::size_t>(device_count()) / 4 * 3 / (2 << 20) * (2 << 20);
  if (settings().memory != 0) total_ = std::min(settings().memory, total_);
  most_watched = available / 2 / 7;
  const auto has_addresses = [&](bool for_notes) {
    for (std::size_t span = most_span(); span >= least_span; span /= 2) {
      if (!reserve(span)) continue;
      if (!for_notes || global_shadow.reserve(span)) return true;
      munmap(base_ - arenas_bytes, arenas_bytes + span);
    }
    return false;
  };
  if (!has_addresses(true)) {
    if (!has_addresses(false)) {
      std::fputs("The emulated device got no range of addresses for its memory.\n", stderr);
      std::_Exit(1);
    }
    if (settings().checking)
      std::fputs(
          "emulated device: this system grants too few addresses (see ulimit -v) to check accesses to device "
          "memory. They are not checked.\n",
          stderr);
  }
  total_ = std::min(total_, each_ / 2);  // behind each allocation lies a gap
}

void* device_memory::allocate(std::size_t size, allocation_kind kind, unsigned int flags) {
  const std::lock_guard lock(mutex);
  const std::size_t of_device = kind == allocation_kind::host ? 0 : size;
  std::size_t& used = parts[current_device()].used;
  if (size > most_of_host_ || used + of_device > total_) return nullptr;
  const std::size_t needed = round_up(size + gap_after(size), system_page());
  const std::size_t offset = room_for(needed, current_device());
  if (offset == 0) return nullptr;
  const bool watched_for_races = watch(size);
  parts_written.erase(offset);  // of what was there before
  live[offset] = {base_ + offset, size, kind, ++numbers, watched_for_races, caller_outside(), flags};
  used += of_device;
  mark_usable(base_ + offset, size, watched_for_races, kind != allocation_kind::device);
  if (kind != allocation_kind::device) mark_defined(base_ + offset, size);  // the host writes it, unseen
  return base_ + offset;
}

/// Onward from the last allocation, past those that live; from the beginning again where the range ends. 0
/// where there is none.
std::size_t device_memory::room_for(std::size_t needed, int device) {
  const std::size_t first = first_of(device);
  std::size_t& next_offset = parts[device].next_offset;
  std::size_t offset = first + next_offset;
  for (int rounds = 0; rounds < 2;) {
    if (offset + needed > first + each_) {
      offset = first + (1 << 20);
      ++rounds;
      continue;
    }
    auto after = live.lower_bound(offset);
    if (after != live.begin()) {
      const allocation& before = std::prev(after)->second;
      const std::size_t end = std::prev(after)->first + before.size + gap_after(before.size);
      if (end > offset) {
        offset = round_up(end, system_page());
        continue;
      }
    }
    if (after == live.end() || offset + needed <= after->first) {
      next_offset = offset + needed - first;
      return offset;
    }
    offset = round_up(after->first + after->second.size + gap_after(after->second.size), system_page());
  }
  return 0;
}

void* device_memory::allocate_on_heap(std::size_t size, int device, std::uint64_t pc) {
  const std::lock_guard lock(mutex);
  device_heap& heap = parts[device].heap;
  heap.begun = true;
  if (size == 0 || size > heap.limit - heap.used) return nullptr;
  const std::size_t needed = round_up(size + heap_gap, heap_gap);
  const auto behind = live.lower_bound(heap.next);
  const bool is_free = behind == live.end() || heap.next + needed <= behind->first;
  if (heap.next + needed > heap.end || !is_free) {
    const std::size_t piece = round_up(std::max(heap_piece, needed), system_page());
    heap.next = room_for(piece + gap_after(0), device);
    if (heap.next == 0) return nullptr;
    heap.end = heap.next + piece;
    heap.pieces[heap.next] = {piece, 0};
  }
  const std::size_t offset = heap.next;
  heap.next += needed;
  heap.used += size;
  ++std::prev(heap.pieces.upper_bound(offset))->second.living;
  const bool watched_for_races = watch(size);
  live[offset] = {base_ + offset, size, allocation_kind::heap, ++numbers, watched_for_races, {{pc}}, 0};
  mark_usable(base_ + offset, size, watched_for_races, false);
  return base_ + offset;
}

bool device_memory::release_on_heap(void* pointer, int device) {
  const std::lock_guard lock(mutex);
  if (!contains(pointer) || device_of(pointer) != device) return false;
  const auto found = live.find(static_cast<std::size_t>(static_cast<char*>(pointer) - base_));
  if (found == live.end() || found->second.kind != allocation_kind::heap) return false;
  const allocation a = found->second;
  live.erase(found);
  if (a.watched) watched -= a.size;
  mark_unusable(a.begin, a.size);
  gone.push_back(a);
  if (gone.size() > most_gone) gone.pop_front();
  device_heap& heap = parts[device].heap;
  heap.used -= a.size;
  const auto piece = std::prev(heap.pieces.upper_bound(static_cast<std::size_t>(a.begin - base_)));
  if (--piece->second.living == 0 && piece->first + piece->second.size != heap.end) {  // and not the last
    const std::size_t size = piece->second.size;
    global_shadow.forget(piece->first, size);
    madvise(base_ + piece->first, size, MADV_DONTNEED);
    heap.pieces.erase(piece);
  }
  return true;
}

bool device_memory::limit_heap(std::size_t bytes) {
  const std::lock_guard lock(mutex);
  device_heap& heap = parts[current_device()].heap;
  if (!heap.begun) heap.limit = bytes;
  return !heap.begun;
}

std::size_t device_memory::heap_limit() const { return parts[current_device()].heap.limit; }

bool device_memory::release(void* pointer, allocation_kind kind) {
  const std::lock_guard lock(mutex);
  if (!contains(pointer)) return false;
  const auto found = live.find(static_cast<std::size_t>(static_cast<char*>(pointer) - base_));
  if (found == live.end()) return false;
  // cudaFree also takes managed memory, cudaFreeHost only its own.
  if ((kind == allocation_kind::host) != (found->second.kind == allocation_kind::host)) return false;
  if (found->second.kind == allocation_kind::heap) return false;
  if (kind != allocation_kind::host) parts[device_of(pointer)].used -= found->second.size;
  forget(found->second, base_);
  gone.push_back(found->second);
  if (gone.size() > most_gone) gone.pop_front();
  madvise(found->second.begin, round_up(found->second.size, system_page()), MADV_DONTNEED);
  live.erase(found);
  return true;
}

void device_memory::leave(const void* pointer) {
  const std::lock_guard lock(mutex);
  const auto found = live.find(static_cast<std::size_t>(static_cast<const char*>(pointer) - base_));
  if (found != live.end()) found->second.leaving = true;
}

void device_memory::note_rows(const void* pointer, std::size_t row, std::size_t pitch) {
  const std::lock_guard lock(mutex);
  const auto found = live.find(static_cast<std::size_t>(static_cast<const char*>(pointer) - base_));
  if (found == live.end()) return;
  found->second.row = row;
  found->second.pitch = pitch;
}

void device_memory::release_all() {
  const std::lock_guard lock(mutex);
  const auto begin = live.lower_bound(first_of(current_device())),
             end = live.lower_bound(first_of(current_device() + 1));
  for (auto each = begin; each != end; ++each) {
    const allocation& a = each->second;
    forget(a, base_);
    madvise(a.begin, round_up(a.size, system_page()), MADV_DONTNEED);
  }
  live.erase(begin, end);
  parts[current_device()].used = 0;
  parts[current_device()].heap = {};
}

void device_memory::note_written(const char* function, const void* to, std::size_t size) {
  const std::lock_guard lock(mutex);
  if (!contains(to)) return;
  const auto found = live.find(static_cast<std::size_t>(static_cast<const char*>(to) - base_));
  if (found == live.end() || found->second.kind != allocation_kind::device || size >= found->second.size)
    return;
  parts_written[found->first] = {function, size, caller_outside()};
}

std::optional<written_part> device_memory::part_written(const allocation& in) {
  const std::lock_guard lock(mutex);
  const auto found = parts_written.find(static_cast<std::size_t>(in.begin - base_));
  return found == parts_written.end() ? std::nullopt : std::optional(found->second);
}

std::string lost_part::text() const {
  const std::string line = line_of(called_at);
  return std::string(function) + "()" + (line.empty() ? "" : " at " + line) + why;
}

void device_memory::note_lost(lost_part&& part) {
  const std::lock_guard lock(mutex);
  if (contains(part.begin)) parts_lost.insert_or_assign(part.begin, std::move(part));
}

std::optional<lost_part> device_memory::lost(const void* address) {
  const std::lock_guard lock(mutex);
  const auto* const byte = static_cast<const char*>(address);
  for (const auto& [begin, part] : parts_lost)
    if (byte >= begin && byte < begin + part.size) return part;
  return std::nullopt;
}

bool device_memory::of_current(const void* address) const {
  return device_count() == 1 || (contains(address) && device_of(address) == current_device());
}

std::optional<allocation> device_memory::find(const void* address) {
  const std::lock_guard lock(mutex);
  if (!contains(address)) return std::nullopt;
  auto after = live.upper_bound(static_cast<std::size_t>(static_cast<const char*>(address) - base_));
  if (after == live.begin()) return std::nullopt;
  const allocation& candidate = std::prev(after)->second;
  const auto distance = static_cast<std::size_t>(static_cast<const char*>(address) - candidate.begin);
  if (distance >= candidate.size && distance != 0) return std::nullopt;
  return candidate;
}

std::vector<allocation> device_memory::around(const void* address) {
  const std::lock_guard lock(mutex);
  const auto* bytes = static_cast<const char*>(address);
  std::vector<allocation> found;
  if (!contains(address)) return found;
  const auto after = live.upper_bound(static_cast<std::size_t>(bytes - base_));
  if (after != live.begin()) {
    const allocation& before = std::prev(after)->second;
    if (bytes < before.begin + before.size + gap_after(before.size)) found.push_back(before);
  }
  if (after != live.end() && after->second.begin - bytes <= 64 << 10) {
    const bool nearer =
        found.empty() || after->second.begin - bytes <= bytes - (found[0].begin + found[0].size);
    found.insert(nearer ? found.begin() : found.end(), after->second);
  }
  return found;
}

std::optional<allocation> device_memory::near(const void* address) {
  if (const auto found = find(address)) return found;
  const std::vector<allocation> all = around(address);
  return all.empty() ? std::nullopt : std::optional(all.front());
}

std::optional<allocation> device_memory::freed(const void* address) {
  const std::lock_guard lock(mutex);
  const auto* bytes = static_cast<const char*>(address);
  for (auto a = gone.rbegin(); a != gone.rend(); ++a)
    if (bytes >= a->begin && bytes < a->begin + a->size) return *a;
  return std::nullopt;
}

std::optional<allocation> device_memory::freed_before(const void* address) {
  const std::lock_guard lock(mutex);
  const auto* bytes = static_cast<const char*>(address);
  for (auto a = gone.rbegin(); a != gone.rend(); ++a)
    if (a->kind == allocation_kind::heap && bytes >= a->begin && bytes < a->begin + a->size + heap_gap)
      return *a;
  return std::nullopt;
}

std::vector<allocation> device_memory::left() {
  const std::lock_guard lock(mutex);
  std::vector<allocation> all;
  for (const auto& [offset, a] : live) all.push_back(a);
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.number < b.number; });
  return all;
}

std::size_t device_memory::free_bytes() {
  const std::lock_guard lock(mutex);
  return total_ - parts[current_device()].used;
}

}  // namespace cuda_emulator

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Barriers in shared memory, and the copies that they track.
//
// A phase completes as late as it can: when somebody needs to know. Until then what its copies bring is not
// there.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "code/symbolize.hpp"
#include "memory/tensor_map.hpp"
#include "stop.hpp"

namespace cuda_emulator::ptx {
namespace {

[[noreturn]] void stop_at(const void* barrier, std::string why, const std::string& cause, const void* pc) {
  worker& w = running();
  raw_finding f{.kind = finding_kind::shared_barrier};
  f.block = w.block();
  f.thread = w.thread();
  f.pc = number(pc);
  f.address = barrier;
  f.size = 8;
  if (w.shared.contains(barrier)) f.shared_offset = w.shared.offset_of(barrier);
  f.text = std::move(why);
  f.details = cause;
  f.standing = true;
  w.launch().note(f);
  w.launch().abandon();
  w.abandon();
}

std::uint64_t offset_of(const void* barrier, const void* pc) {
  worker& w = running();
  if (!w.shared.contains(barrier))
    stop_at(barrier, "barrier that is not in shared memory",
            "  cuda::barrier<cuda::thread_scope_block> and mbarrier are objects in shared memory here: "
            "declare it\n"
            "  __shared__. (A GPU would also accept one in global memory, and be slower.)",
            pc);
  if (reinterpret_cast<std::uintptr_t>(barrier) % 8 != 0)
    stop_at(barrier, "misaligned barrier", "  A barrier must lie at a multiple of 8 bytes.", pc);
  return w.shared.offset_of(barrier);
}

/// For messages.
copy_under_way without_source(const copy_under_way& c) {
  copy_under_way result{c.thread, c.from, c.to, c.size, c.from_source, c.pc};
  result.at_barrier = true;
  return result;
}

void deliver(shared_barrier& b) {
  worker& w = running();
  for (const copy_under_way& c : b.copies) {
    if (observer* const watcher = w.watcher()) watcher->deliver(c, b.collecting);
    std::memset(c.to, 0, c.size);
    std::memcpy(c.to + c.zeros, c.from, c.from_source);
    std::erase_if(w.copies.at_barrier, [&](const copy_under_way& each) { return each.to == c.to; });
  }
  b.copies.clear();
}

/// The thread has seen how many phases are complete.
void note_waited(shared_barrier& b, int thread) {
  const auto t = static_cast<std::size_t>(thread);
  if (b.waited.size() <= t) b.waited.resize(t + 1);
  b.waited[t] = b.phase;
  if (observer* const watcher = running().watcher()) watcher->acquire(thread, b.completed);
}

/// Begins the next phase where this one is complete. True: it was.
bool advance(shared_barrier& b, const completion_call& completion = {}) {
  if (!b.is_complete()) return false;
  worker& w = running();
  deliver(b);
  b.completed = std::exchange(b.collecting, {});
  if (completion.function != nullptr) {
    if (observer* const watcher = w.watcher()) watcher->acquire(w.thread(), b.completed);
    completion.function(completion.argument);
    if (observer* const watcher = w.watcher()) watcher->release(b.completed);
  }
  ++b.phase;
  b.missing = b.expected;
  b.by_copies = 0;
  b.bytes = b.asked_for = 0;
  b.arrivals.clear();
  b.earlier_stamps.swap(b.stamps);
  b.stamps.clear();
  w.something_happened();
  std::erase_if(b.waiting, [&](const shared_barrier::waiter& waits) {
    if (b.phase <= waits.phase) return false;
    note_waited(b, waits.thread);
    w.wake(waits.thread);
    return true;
  });
  return true;
}

/// Somebody waits for it: then now is when it has to be complete.
void advance_for_waiting(shared_barrier& b) {
  while (!b.waiting.empty() && advance(b)) {
  }
}

constexpr const char* before_initialization =
    "  Usual cause: no __syncthreads() between init() (mbarrier.init) by one "
    "thread and the first use by the\n"
    "  others, or no init() at all.";

/// The barrier, of which the thread must know that it is initialized. What is complete before has been.
shared_barrier& used(const void* barrier, const void* pc) {
  worker& w = running();
  shared_barrier* const b = w.barriers.find(offset_of(barrier, pc));
  const char* const why = "barrier in shared memory that is used before its initialization";
  if (b == nullptr) stop_at(barrier, why, before_initialization, pc);
  if (observer* const watcher = w.watcher(); watcher != nullptr && !watcher->knows(b->initialized))
    stop_at(barrier, why, before_initialization, pc);
  return *b;
}

void check_bytes(const shared_barrier& b, const void* barrier, const void* pc) {
  if (b.missing != b.by_copies || b.asked_for <= b.bytes) return;
  stop_at(barrier, "copies that bring more bytes than their barrier expects",
          "  It expects " + std::to_string(b.bytes) + " bytes in this phase, and the copies bring " +
              std::to_string(b.asked_for) +
              ".\n  Usual cause: expect_tx (barrier_arrive_tx()) with another number "
              "of bytes than the copies have,\n"
              "  or a number of elements in place of bytes.",
          pc);
}

void count_arrivals(shared_barrier& b, unsigned count, const void* barrier, const void* pc) {
  if (count == 0 || count > b.missing - b.by_copies)
    stop_at(barrier, "more arrivals at a barrier than it expects",
            "  " + std::to_string(count) + (count == 1 ? " arrival" : " arrivals") +
                " more, where it expects " + std::to_string(b.missing - b.by_copies) +
                " in this phase.\n  Usual cause: init() with too small a "
                "count, or threads that arrive twice without waiting.",
            pc);
  auto& mine = b.arrivals;
  const auto t = static_cast<std::size_t>(running().thread());
  if (mine.size() <= t) mine.resize(t + 1);
  mine[t] += count;
}

/// Those of a cuda::pipeline count right. A wait that is missing there shows in what the stages hold.
bool is_of_pipeline(const void* pc) {
  const std::vector<code_place> code = code_at(number(pc));
  return !code.empty() && code.front().file.ends_with("/cuda/pipeline");
}

/// Each arrival must come behind all those of the phase before. Otherwise it could as well have been one of
/// that phase: then it is one too many.
void check_order(const shared_barrier& b, const void* barrier, const void* pc) {
  worker& w = running();
  observer* const watcher = w.watcher();
  const auto t = static_cast<std::size_t>(w.thread());
  if (watcher == nullptr || b.phase == 0 || (t < b.waited.size() && b.waited[t] == b.phase)) return;
  if (std::all_of(b.earlier_stamps.begin(), b.earlier_stamps.end(),
                  [&](std::uint64_t stamp) { return watcher->knows(stamp); }) ||
      is_of_pipeline(pc))
    return;
  stop_at(barrier, "more arrivals at a barrier than it expects",
          "  The " + std::to_string(b.expected) +
              " arrivals that it expects in a phase have come, and nothing orders this one behind them: here "
              "it counts\n  for the next phase, and it may as well come in time to be one too many.\n"
              "  Usual cause: init() with too small a count, or threads that arrive twice without waiting.",
          pc);
}

}  // namespace

void barrier_init(void* barrier, std::uint32_t count) {
  const void* const pc = __builtin_return_address(0);
  worker& w = running();
  const std::uint64_t offset = offset_of(barrier, pc);
  if (count == 0 || count >= 1u << 20)
    stop_at(barrier, "barrier for " + std::to_string(count) + " arrivals",
            "  It must expect at least one, and at most 1,048,575.", pc);
  if (const shared_barrier* const b = w.barriers.find(offset); b != nullptr && w.watcher() != nullptr) {
    if (!w.watcher()->knows(b->initialized))
      stop_at(barrier, "barrier in shared memory that two threads initialize",
              "  Usual cause: a missing if (threadIdx.x == 0) around init() (mbarrier.init).", pc);
    if (!b->waiting.empty() || !b->copies.empty())
      stop_at(barrier, "barrier in shared memory that is initialized again while it is in use",
              "  Threads wait for it, or copies are under way to it. Usual cause: init() inside of a loop.",
              pc);
  }
  if (observer* const watcher = w.watcher()) watcher->use_clocks();
  shared_barrier& b = w.barriers.make(offset, count);
  b.initialized_at = number(pc);
  if (const observer* const watcher = w.watcher()) b.initialized = watcher->stamp_here(number(pc));
}

void barrier_invalidate(void* barrier) {
  const void* const pc = __builtin_return_address(0);
  used(barrier, pc);
  running().barriers.forget(offset_of(barrier, pc));
}

std::uint64_t barrier_arrive(void* barrier, std::uint32_t count, std::uint32_t bytes, bool drops,
                             void (*completion)(void*), void* argument) {
  const void* const pc = __builtin_return_address(0);
  shared_barrier& b = used(barrier, pc);
  advance(b);
  check_order(b, barrier, pc);
  count_arrivals(b, count, barrier, pc);
  b.bytes += bytes;
  b.missing -= count;
  if (drops) b.expected -= std::min(count, b.expected);
  const std::uint64_t token = b.phase << 32 | b.missing;
  running().something_happened();
  if (observer* const watcher = running().watcher()) {
    b.stamps.push_back(watcher->stamp_here(number(pc)));
    watcher->release(b.collecting);
  }
  check_bytes(b, barrier, pc);
  if (completion != nullptr) advance(b, {completion, argument});
  advance_for_waiting(b);
  return token;
}

void barrier_expect_bytes(void* barrier, std::uint32_t bytes) {
  const void* const pc = __builtin_return_address(0);
  shared_barrier& b = used(barrier, pc);
  advance(b);
  b.bytes += bytes;
  check_bytes(b, barrier, pc);
  advance_for_waiting(b);
}

void barrier_follow_copies(void* barrier, bool adds_arrival) {
  const void* const pc = __builtin_return_address(0);
  worker& w = running();
  shared_barrier& b = used(barrier, pc);
  advance(b);
  if (adds_arrival)
    ++b.missing;
  else
    count_arrivals(b, 1, barrier, pc);
  ++b.by_copies;
  w.something_happened();
  for (copy_under_way& c :
       w.copies.to_shared.take(w.thread(), 0, [](const copy_under_way&) { return true; })) {
    c.at_barrier = true;
    w.copies.at_barrier.push_back(without_source(c));
    b.copies.push_back(std::move(c));
  }
  check_bytes(b, barrier, pc);
  advance_for_waiting(b);
}

namespace {

bool wait_for(const void* barrier, bool of_token, std::uint64_t token, bool until_complete, const void* pc) {
  worker& w = running();
  shared_barrier& b = used(barrier, pc);
  const std::uint64_t offset = b.offset;
  // By its parity: of the phase that runs, or of the one before it, which is complete. Only the first has to
  // be looked at once more.
  const std::uint64_t phase = of_token ? token >> 32 : b.phase;
  const auto runs = [&] {
    return of_token ? phase >= b.phase : phase == b.phase && (phase & 1) == (token & 1);
  };
  if (runs()) advance(b);
  if (!runs()) {
    note_waited(b, w.thread());
    return true;
  }
  b.waiting.push_back({w.thread(), phase});
  if (w.wait_for_barrier(!until_complete, pc)) return true;
  // Nobody else could go on: as if the time for one attempt were up.
  if (shared_barrier* const still = w.barriers.find(offset))
    std::erase_if(still->waiting, [&](const auto& each) { return each.thread == w.thread(); });
  return false;
}

}  // namespace

bool barrier_wait(const void* barrier, std::uint64_t token, bool until_complete) {
  return wait_for(barrier, true, token, until_complete, __builtin_return_address(0));
}

bool barrier_wait_parity(const void* barrier, std::uint32_t parity, bool until_complete) {
  return wait_for(barrier, false, parity, until_complete, __builtin_return_address(0));
}

// ---- bulk copies

namespace {

void check_bulk(const void* to, const void* from, std::uint32_t size, const void* pc) {
  const auto misaligned = [](const void* p) { return reinterpret_cast<std::uintptr_t>(p) % 16 != 0; };
  if (size % 16 != 0 || misaligned(to) || misaligned(from))
    stop("a misaligned bulk copy",
         "Both addresses and the number of bytes of a bulk copy must be a multiple of 16.", pc);
}

/// The barrier tracks a copy of `size` bytes: first `zeros`, then `from_source` of these, then zeros again.
void begin_to_shared(shared_barrier& b, char* to, const char* from, unsigned size, unsigned zeros,
                     unsigned from_source, const void* pc) {
  worker& w = running();
  copy_under_way c{w.thread(), from, to, size, from_source, number(pc)};
  c.at_barrier = true;
  c.zeros = zeros;
  if (observer* const watcher = w.watcher()) watcher->begin_bulk_copy(c);
  b.asked_for += size;
  w.copies.at_barrier.push_back(without_source(c));
  b.copies.push_back(std::move(c));
}

/// Of the `__shared__` variable at that address. Dynamic memory begins as a block's memory does.
std::size_t declared_alignment(const void* address) {
  worker& w = running();
  const shared_layout& layout = w.launch().shared;
  const std::lock_guard lock(layout.mutex());
  const std::size_t offset = w.shared.offset_of(address);
  for (const placed_variable& v : layout.variables())
    if (offset - v.offset < v.size) return v.alignment;
  return 1024;
}

}  // namespace

void copy_bulk_to_shared(void* to, const void* from, std::uint32_t size, void* barrier) {
  const void* const pc = __builtin_return_address(0);
  worker& w = running();
  check_bulk(to, from, size, pc);
  if (!w.shared.contains(to))
    stop("a bulk copy to an address that is not in shared memory",
         "With a barrier a bulk copy goes from global to shared memory: target first, as in memcpy().", pc);
  if (w.shared.contains(from) || w.on_stack(from))
    stop("a bulk copy from an address that is not in global memory",
         "With a barrier a bulk copy goes from global to shared memory: target first, as in memcpy().", pc);
  shared_barrier& b = used(barrier, pc);
  advance(b);
  if (size == 0) return;
  begin_to_shared(b, static_cast<char*>(to), static_cast<const char*>(from), size, 0, size, pc);
  check_bytes(b, barrier, pc);
  advance_for_waiting(b);
}

void copy_tile_to_shared(void* to, const void* map, int x, int y, void* barrier) {
  const void* const pc = __builtin_return_address(0);
  worker& w = running();
  const tensor_map* const m = tensor_map::in(map);
  if (m == nullptr)
    stop("a copy of a tile by something that is no tensor map",
         "cuTensorMapEncodeTiled() fills one in, and the kernel has it as a parameter:\n"
         "  const __grid_constant__ CUtensorMap map. Its address goes to the copy.",
         pc);
  if (!w.shared.contains(to))
    stop("a copy of a tile to an address that is not in shared memory",
         "A tensor map is read from, and the tile goes to shared memory: target first.", pc);
  if (reinterpret_cast<std::uintptr_t>(to) % 128 != 0 || declared_alignment(to) < 128)
    stop("a misaligned copy of a tile",
         "A tile lies at a multiple of 128 bytes of shared memory. Usual cause: a missing alignas(128)\n"
         "  at the __shared__ array, which may lie at such an address by chance; or an offset into it.",
         pc);
  if (x * m->element_bytes % 16 != 0)
    stop("a copy of a tile from a column that is not at a multiple of 16 bytes",
         "A tile begins at a multiple of 16 bytes of each row, also outside of the plane: with floats, at a\n"
         "  multiple of 4 columns. A GPU ends the kernel with cudaErrorIllegalInstruction.",
         pc);
  shared_barrier& b = used(barrier, pc);
  advance(b);
  const auto bytes = static_cast<unsigned>(m->element_bytes);
  for (std::int64_t r = 0; r < m->box[1]; ++r) {
    // The row's elements in [first, last) are in the plane.
    const std::int64_t row = y + r, all = m->box[0];
    const bool there = 0 <= row && row < m->size[1];
    const std::int64_t first = there ? std::clamp(-std::int64_t{x}, std::int64_t{0}, all) : all,
                       last = std::clamp(m->size[0] - x, first, all);
    begin_to_shared(b, static_cast<char*>(to) + r * all * bytes,
                    m->begin + row * m->pitch + (x + first) * bytes, static_cast<unsigned>(all) * bytes,
                    static_cast<unsigned>(first) * bytes, static_cast<unsigned>(last - first) * bytes, pc);
  }
  check_bytes(b, barrier, pc);
  advance_for_waiting(b);
}

void copy_bulk_to_global(void* to, const void* from, std::uint32_t size) {
  const void* const pc = __builtin_return_address(0);
  worker& w = running();
  check_bulk(to, from, size, pc);
  if (!w.shared.contains(from))
    stop("a bulk copy from an address that is not in shared memory",
         "Without a barrier a bulk copy goes from shared to global memory: target first, as in memcpy().",
         pc);
  if (w.shared.contains(to) || w.on_stack(to))
    stop("a bulk copy to an address that is not in global memory",
         "Without a barrier a bulk copy goes from shared to global memory: target first, as in memcpy().",
         pc);
  if (size == 0) return;
  copy_under_way c{w.thread(), static_cast<const char*>(from), static_cast<char*>(to), size, size,
                   number(pc)};
  if (observer* const watcher = w.watcher()) watcher->begin_bulk_copy(c);
  w.copies.to_global.add(c);
}

void commit_bulk_copies() { running().copies.to_global.commit(running().thread()); }

void wait_for_bulk_copies(unsigned groups_left, bool only_reads) {
  const void* const pc = __builtin_return_address(0);
  worker& w = running();
  copy_groups& groups = w.copies.to_global;
  const std::uint64_t committed = groups.groups(w.thread());
  const auto is_meant = [&](const copy_under_way& c) {
    return c.group != 0 && c.group + groups_left <= committed;
  };
  for (copy_under_way& c : groups.of(w.thread()))
    if (is_meant(c)) w.read_source(c);
  if (only_reads) return;
  for (const copy_under_way& c : groups.take(w.thread(), number(pc), is_meant))
    if (observer* const watcher = w.watcher()) watcher->land_bulk_copy(c);
}

}  // namespace cuda_emulator::ptx

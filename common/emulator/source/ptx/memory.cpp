// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Loads, stores and addresses of inline PTX. Each access is checked and counted like the same access in C++.
#include <atomic>
#include <cstdint>
#include <cstring>

#include "stop.hpp"
#include "tell/findings.hpp"
#include "tell/report.hpp"

namespace cuda_emulator::ptx {

worker& running() {
  if (current_worker == nullptr)
    end_program("Inline PTX was reached outside of a kernel; only code that runs on the device can.");
  return *current_worker;
}

void stop(const char* why, const char* cause, const void* pc) {
  worker& w = running();
  raw_finding f{.kind = finding_kind::crash};
  f.block = w.block();
  f.thread = w.thread();
  f.pc = reinterpret_cast<std::uint64_t>(pc);
  f.text = why;
  f.cause = cause;
  w.launch().note(f);
  w.launch().abandon();
  w.abandon();
}

// An address of shared memory is the offset in the block's arena, and begins far from 0.
void* located(space where, std::uint64_t address, const void* pc) {
  worker& w = running();
  auto* const bytes = reinterpret_cast<char*>(address);
  const auto stop_if = [&](bool wrong, const char* why, const char* cause) {
    if (wrong) stop(why, cause, pc);
  };
  switch (where) {
    case space::shared: {
      constexpr const char* cause =
          "PTX addresses shared memory by numbers of its own: "
          "pass what __cvta_generic_to_shared(pointer) returns,\n"
          "  as a 32-bit \"r\" or a 64-bit \"l\". Usual cause: a pointer passed as it is, or a null pointer.";
      stop_if(address < shared_arena::dynamic_offset || address >= shared_arena::total,
              "an address that is not one of shared memory,", cause);
      return w.shared.at(address);
    }
    case space::global:
      stop_if(
          w.shared.contains(bytes) || w.on_stack(bytes),
          "a global access by a pointer that is not one to global memory,",
          "The pointer leads to shared memory or to a variable of the thread. Use .shared with\n"
          "  __cvta_generic_to_shared(pointer), or leave the space out (ld.f32 in place of ld.global.f32).");
      break;
    case space::constant:
      stop_if(address_space_of(bytes) != address_space::constant,
              "a constant access by a pointer that is not one to constant memory,",
              "ld.const is for __constant__ variables.");
      break;
    case space::generic:
      break;
  }
  return bytes;
}

void observe(const void* address, unsigned size, access_kind kind, const void* pc, bool is_strong) {
  if (is_strong) running().look_at_flag(kind == access_kind::read ? address : nullptr);
  observer* const watcher = current_observer;
  if (watcher == nullptr) return;
  if (is_strong) watcher->next_is_volatile();
  // Aligned as PTX wants it; the observer lets 16 bytes lie where a pair of doubles may.
  if (watcher->observe(address, size, kind, reinterpret_cast<std::uint64_t>(pc))) running().pause();
}

bytes load(space where, strength how, std::uint64_t address, unsigned size) {
  const void* const pc = __builtin_return_address(0);
  const void* const from = located(where, address, pc);
  observe(from, size, access_kind::read, pc, how != strength::weak);
  bytes result{};
  std::memcpy(&result, from, size);
  if (how == strength::acquire) std::atomic_thread_fence(std::memory_order_acquire);
  if (how == strength::acquire && current_observer != nullptr) current_observer->hear();
  return result;
}

void store(space where, strength how, std::uint64_t address, unsigned size, std::uint64_t low,
           std::uint64_t high) {
  const void* const pc = __builtin_return_address(0);
  void* const to = located(where, address, pc);
  if (how == strength::release) fence();
  observe(to, size, access_kind::write, pc, how != strength::weak);
  const bytes value{low, high};
  std::memcpy(to, &value, size);
}

void* pointer(space where, std::uint64_t address) {
  return located(where, address, __builtin_return_address(0));
}

std::uint64_t address_in(space where, const void* pointer) {
  worker& w = running();
  if (where != space::shared) return reinterpret_cast<std::uint64_t>(pointer);
  // As on a GPU, where the result means nothing: what uses it is told.
  if (!w.shared.contains(pointer)) return 0;
  return w.shared.offset_of(pointer);
}

void check_barrier(std::uint64_t number, std::uint64_t threads) {
  const auto all = static_cast<std::uint64_t>(running().launch().threads_per_block);
  if (number == 0 && (threads == 0 || threads == all)) return;
  stop("a barrier of PTX with a number of its own or for some threads only,",
       "The emulated device has barrier 0 for all threads of the block: bar.sync 0, or __syncthreads().\n"
       "  For some threads use cooperative groups (tiled_partition), or __syncwarp(mask) within a warp.",
       __builtin_return_address(0));
}

}  // namespace cuda_emulator::ptx

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// cp.async: copies from global to shared memory that land when their thread waits for them. Until then the
// target keeps what it had, and whoever reads it early finds that, or memory that nobody has written.
#include <cstdint>
#include <cstring>
#include <vector>

#include "stop.hpp"

namespace cuda_emulator::ptx {
namespace {

struct copy {
  int thread;
  std::uint64_t group;  // 0: not committed yet
  const void* from;
  void* to;
  unsigned size, from_source;
};

/// Of the block that the worker runs.
struct under_way {
  std::uint64_t block = ~std::uint64_t{0};
  const launch_state* launch = nullptr;
  std::vector<copy> copies;                           // in the order in which they were asked for
  std::uint64_t groups[most_threads_per_block] = {};  // committed by each thread
};
thread_local under_way state;

under_way& of_this_block() {
  worker& w = running();
  if (state.block != w.block_position() || state.launch != &w.launch()) {
    state = {};
    state.block = w.block_position();
    state.launch = &w.launch();
  }
  return state;
}

void land(const copy& c, const void* pc) {
  observe(c.to, c.size, access_kind::write, pc);
  char value[16] = {};
  std::memcpy(value, c.from, c.from_source);
  std::memcpy(c.to, value, c.size);
}

/// What the thread has committed up to `last`, or everything.
void land_all(std::uint64_t last, bool with_uncommitted, const void* pc) {
  under_way& u = of_this_block();
  const int thread = running().thread();
  std::vector<copy> landing;  // apart: another thread may run in between
  std::erase_if(u.copies, [&](const copy& c) {
    const bool lands = c.thread == thread && (c.group == 0 ? with_uncommitted : c.group <= last);
    if (lands) landing.push_back(c);
    return lands;
  });
  for (const copy& c : landing) land(c, pc);
}

}  // namespace

void copy_async(std::uint64_t to_shared, std::uint64_t from_global, unsigned size, unsigned from_source) {
  const void* const pc = __builtin_return_address(0);
  if (from_source > size)
    stop("cp.async from a source that is larger than the target,",
         "Its fourth operand is the number of bytes to copy, at most the third; the others become zero.", pc);
  void* const to = located(space::shared, to_shared, pc);
  const void* const from = located(space::global, from_global, pc);
  if (to_shared % size != 0 || (from_source != 0 && from_global % size != 0))
    stop("a misaligned cp.async,",
         "Both addresses of a copy of 4, 8 or 16 bytes must be a multiple of its size.", pc);
  if (from_source == size) {
    observe(from, size, access_kind::read, pc);
  } else {
    for (unsigned i = 0; i < from_source; ++i)
      observe(static_cast<const char*>(from) + i, 1, access_kind::read, pc);
  }
  of_this_block().copies.push_back({running().thread(), 0, from, to, size, from_source});
}

void commit_copies() {
  under_way& u = of_this_block();
  const int thread = running().thread();
  const std::uint64_t group = ++u.groups[thread];
  for (copy& c : u.copies)
    if (c.thread == thread && c.group == 0) c.group = group;
}

void wait_for_copies(unsigned groups_left) {
  const std::uint64_t committed = of_this_block().groups[running().thread()];
  land_all(committed > groups_left ? committed - groups_left : 0, false, __builtin_return_address(0));
}

void wait_for_all_copies() { land_all(~std::uint64_t{0}, true, __builtin_return_address(0)); }

}  // namespace cuda_emulator::ptx

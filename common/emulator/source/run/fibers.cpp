// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "fibers.hpp"

#include <sys/mman.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "device/system_page.hpp"

namespace cuda_emulator {

using boost::context::detail::jump_fcontext;
using boost::context::detail::make_fcontext;

namespace {
std::size_t bytes_of_slot() { return system_page() + fiber_pool::stack_bytes; }
// Stacks that all begin at the same place in a page would compete for the same few lines of the cache.
constexpr std::size_t stagger(std::size_t index) { return index % 24 * 128; }
}  // namespace

fiber_pool::fiber_pool(void (*entry)(boost::context::detail::transfer_t)) : entry_(entry) {
  size_ = bytes_of_slot() * (most_threads_per_block + 1);
  void* memory =
      mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    std::fputs("The emulated device got no memory for the stacks of its threads.\n", stderr);
    std::_Exit(1);
  }
  memory_ = static_cast<char*>(memory);
}

fiber* fiber_pool::take() {
  if (idle_ != nullptr) {
    fiber* f = idle_;
    idle_ = f->next_idle;
    return f;
  }
  if (used_ == most_threads_per_block + 1) return nullptr;
  mprotect(memory_ + bytes_of_slot() * static_cast<std::size_t>(used_), system_page(), PROT_NONE);
  return &fibers_[used_++];
}

void fiber_pool::reset() {
  idle_ = nullptr;
  for (int i = used_ - 1; i >= 0; --i) {
    fibers_[i].context = nullptr;
    give_back(&fibers_[i]);
  }
}

char* fiber_pool::top_of(const fiber& f) const {
  const auto index = static_cast<std::size_t>(&f - fibers_);
  return memory_ + bytes_of_slot() * (index + 1) - stagger(index);
}

fiber_pool::kept_stack fiber_pool::keep(fiber& f) const {
  const char* const begin = static_cast<const char*>(f.context);  // a context is where the stack ends
  return {&f, f.context, std::vector<char>(begin, static_cast<const char*>(top_of(f)))};
}

void fiber_pool::put_back(const std::vector<kept_stack>& stacks) {
  for (int i = 0; i < used_; ++i) fibers_[i].context = nullptr;
  for (const kept_stack& each : stacks) {
    each.of->context = each.context;
    std::memcpy(each.context, each.bytes.data(), each.bytes.size());
  }
  idle_ = nullptr;
  for (int i = used_ - 1; i >= 0; --i)
    if (fibers_[i].context == nullptr) give_back(&fibers_[i]);
}

void fiber_pool::jump(fiber& from, fiber& to) {
  if (to.context == nullptr) {
    const auto index = static_cast<std::size_t>(&to - fibers_);
    to.context = make_fcontext(top_of(to), stack_bytes - stagger(index), entry_);
  }
  arrived(jump_fcontext(to.context, &from));
}

}  // namespace cuda_emulator

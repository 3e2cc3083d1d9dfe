// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "flags.hpp"

#include <algorithm>

#include "order_state.hpp"

namespace cuda_emulator {
namespace {

std::atomic<std::uint64_t> changes{0};

std::uintptr_t number(const volatile void* address) { return reinterpret_cast<std::uintptr_t>(address); }

}  // namespace

std::uint64_t flag_changes() { return changes.load(std::memory_order_acquire); }

unsigned release_by_flag(const operation& op, const volatile void* address) {
  order_state& order = the_order();
  const std::lock_guard lock(order.mutex);
  op.releases = std::min(op.releases + 1, touch_mark::last);
  vector_clock& released = order.flags[number(address)];
  released.join(op.begins);
  released.join(op.heard);
  released.reach(op.released(op.releases));
  ++changes;
  return op.releases;
}

unsigned hear_of_flag(const operation& op, const volatile void* address) {
  order_state& order = the_order();
  const std::lock_guard lock(order.mutex);
  const auto known = order.flags.find(number(address));
  if (known == order.flags.end()) return 0;
  if (!op.heard.covers(known->second)) {
    op.heard.join(known->second);
    if (op.heard_first.size() < touch_mark::last) op.heard_first.emplace_back();
    op.heard_first.back() = op.heard;
  }
  return static_cast<unsigned>(op.heard_first.size());
}

}  // namespace cuda_emulator

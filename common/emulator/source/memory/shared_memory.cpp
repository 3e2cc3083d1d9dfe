// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "shared_memory.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace cuda_emulator {
namespace {

// shared_variable::place: launch id in the upper half, offset in the static area in the lower.
constexpr std::uint64_t pack(std::uint32_t launch, std::size_t offset) {
  return static_cast<std::uint64_t>(launch) << 32 | static_cast<std::uint32_t>(offset);
}
constexpr std::size_t rounded_up(std::size_t value, std::size_t to) { return (value + to - 1) / to * to; }
}  // namespace

shared_arena::shared_arena(char* memory) : memory_(memory) {
  if (memory_ == nullptr) {
    std::fputs("The emulated device got no memory for the shared memory of a block.\n", stderr);
    std::_Exit(1);
  }
}

void shared_arena::begin_block(std::size_t dynamic_bytes) {
  if (shadow_ != nullptr) {
    std::memset(shadow_->states + dynamic_offset, 0, dynamic_bytes_);
    std::memset(shadow_->states + dynamic_offset, state_usable, dynamic_bytes);
    std::memset(shadow_->states + static_offset, 0, poisoned_);
  }
  dynamic_bytes_ = dynamic_bytes;
  std::memset(memory_ + dynamic_offset, 0xFF, dynamic_bytes);
  poisoned_ = 0;
}

bool shared_layout::place_new(shared_variable& variable, std::size_t size, std::size_t alignment,
                              std::size_t element_size, const array_shape& shape, std::size_t& offset) {
  const std::lock_guard lock(mutex_);
  const std::uint64_t place = variable.place.load(std::memory_order_relaxed);
  offset = static_cast<std::uint32_t>(place);
  if (place >> 32 == launch_) return true;
  // Launches of several devices may run at once, and each has the variable at a place of its own.
  for (const placed_variable& known : variables_) {
    if (known.variable != &variable) continue;
    offset = known.offset - shared_arena::static_offset;
    variable.place.store(pack(launch_, offset), std::memory_order_relaxed);
    return true;
  }
  const std::size_t bytes = rounded_up(bytes_, alignment) + size;
  if (bytes > most_static_shared) return false;
  bytes_ = bytes;
  // All variables begin at bank 0, whatever was placed before: counts do not depend on which thread came
  // first.
  offset = rounded_up(next_, alignment > 128 ? alignment : 128);
  next_ = offset + size + shared_arena::red_zone;
  variables_.push_back({variable.name, variable.file, variable.line, shared_arena::static_offset + offset,
                        size, element_size, shape, &variable, alignment});
  variable.place.store(pack(launch_, offset), std::memory_order_relaxed);
  return true;
}

void shared_layout::name_dynamic(const placed_variable& variable) {
  const std::lock_guard lock(mutex_);
  if (!dynamic_named_.exchange(true)) dynamic_variable_ = variable;
}

void* shared_arena::place(shared_layout& layout, shared_variable& variable, std::size_t size,
                          std::size_t alignment, std::size_t element_size, const array_shape& shape) {
  std::size_t offset = 0;
  if (!layout.place(variable, size, alignment, element_size, shape, offset)) return nullptr;
  if (offset + size > poisoned_) {
    std::memset(memory_ + static_offset + poisoned_, 0xFF, offset + size - poisoned_);
    poisoned_ = offset + size;
  }
  if (shadow_ != nullptr && shadow_->states[static_offset + offset] == 0)
    std::memset(shadow_->states + static_offset + offset, state_usable, size);
  return memory_ + static_offset + offset;
}

shared_arena::contents shared_arena::keep() const {
  contents kept;
  const char* const dynamic = memory_ + dynamic_offset;
  const char* const fixed = memory_ + static_offset;
  kept.dynamic.assign(dynamic, dynamic + dynamic_bytes_);
  kept.fixed.assign(fixed, fixed + poisoned_);
  if (shadow_ == nullptr) return kept;
  const std::uint8_t* const states = shadow_->states;
  kept.dynamic_states.assign(states + dynamic_offset, states + dynamic_offset + dynamic_bytes_);
  kept.fixed_states.assign(states + static_offset, states + static_offset + poisoned_);
  return kept;
}

void shared_arena::put_back(const contents& kept) {
  begin_block(kept.dynamic.size());
  std::memcpy(memory_ + dynamic_offset, kept.dynamic.data(), kept.dynamic.size());
  std::memcpy(memory_ + static_offset, kept.fixed.data(), kept.fixed.size());
  poisoned_ = kept.fixed.size();
  if (shadow_ == nullptr) return;
  std::memcpy(shadow_->states + dynamic_offset, kept.dynamic_states.data(), kept.dynamic_states.size());
  std::memcpy(shadow_->states + static_offset, kept.fixed_states.data(), kept.fixed_states.size());
}

}  // namespace cuda_emulator

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "shared_memory.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "launch_state.hpp"
#include "memory/device_memory.hpp"

namespace cuda_emulator {
namespace {
// shared_variable::place: launch id in the upper half, offset in the static area in the lower.
constexpr std::uint64_t pack(std::uint32_t launch, std::size_t offset) {
  return static_cast<std::uint64_t>(launch) << 32 | static_cast<std::uint32_t>(offset);
}
constexpr std::size_t round_up(std::size_t value, std::size_t to) { return (value + to - 1) / to * to; }

struct {
  std::uint32_t launch = 0;
  std::size_t next = 0;   // offset of the next variable
  std::size_t bytes = 0;  // what a GPU would count
} layout;                 // guarded by launch_state::mutex
}  // namespace

shared_arena::shared_arena() {
  memory_ = device_memory::instance().next_arena();
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

void* shared_arena::place(launch_state& launch, shared_variable& variable, std::size_t size,
                          std::size_t alignment, std::size_t element_size) {
  std::uint64_t place = variable.place.load(std::memory_order_relaxed);
  if (place >> 32 != launch.id) {
    const std::lock_guard lock(launch.mutex);
    place = variable.place.load(std::memory_order_relaxed);
    if (place >> 32 != launch.id) {
      if (layout.launch != launch.id) layout = {launch.id, 0, 0};
      layout.bytes = round_up(layout.bytes, alignment) + size;
      if (layout.bytes > most_static_shared) return nullptr;
      // All variables begin at bank 0, whatever was placed before: counts do not depend on which thread came
      // first.
      const std::size_t offset = round_up(layout.next, alignment > 128 ? alignment : 128);
      layout.next = offset + size + red_zone;
      place = pack(launch.id, offset);
      launch.static_shared = static_cast<std::uint32_t>(layout.bytes);
      launch.shared_variables.push_back(
          {variable.name, variable.file, variable.line, static_offset + offset, size, element_size});
      variable.place.store(place, std::memory_order_relaxed);
    }
  }
  const std::size_t offset = static_cast<std::uint32_t>(place);
  if (offset + size > poisoned_) {
    std::memset(memory_ + static_offset + poisoned_, 0xFF, offset + size - poisoned_);
    poisoned_ = offset + size;
  }
  if (shadow_ != nullptr && shadow_->states[static_offset + offset] == 0)
    std::memset(shadow_->states + static_offset + offset, state_usable, size);
  return memory_ + static_offset + offset;
}

}  // namespace cuda_emulator

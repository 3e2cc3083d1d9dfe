// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The steps of the block that is recorded: lines, values, accesses, where threads meet (see step_trace.hpp).
#include <cstring>

#include "observer.hpp"

namespace cuda_emulator {

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

}  // namespace cuda_emulator

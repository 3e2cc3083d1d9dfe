// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "variables.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <vector>

namespace cuda_emulator {
namespace {
using records = std::vector<variable_record>;

// Most variables are registered before main() begins, static ones of functions when a thread first comes to
// them: other threads of the host may be looking then. A list never changes once it is shown; earlier ones
// stay.
std::atomic<const records*> shown{nullptr};

const records& variables() {
  static const records none;
  const records* all = shown.load(std::memory_order_acquire);
  return all == nullptr ? none : *all;
}

}  // namespace

void register_variable(const volatile void* address, std::size_t size, std::size_t element_size,
                       const array_shape& shape, const char* name, memory_space space, bool has_host_copy,
                       const char* file, int line) {
  variable_record record{.begin = const_cast<const char*>(static_cast<const volatile char*>(address)),
                         .size = size,
                         .element_size = element_size,
                         .shape = shape,
                         .name = name,
                         .space = space,
                         .has_host_copy = has_host_copy,
                         .file = file,
                         .line = line,
                         .number = 0,
                         .shadow = nullptr};
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  const records& before = variables();
  const auto where = std::lower_bound(before.begin(), before.end(), record,
                                      [](const auto& a, const auto& b) { return a.begin < b.begin; });
  if (where != before.end() && where->begin == record.begin) return;  // inline, and of several files
  record.number = static_cast<std::uint32_t>(before.size() + 1);
  auto* const shadow = new shadow_range;  // lives as long as the variable: until the program ends
  if (shadow->reserve((size + 4095) / 4096 * 4096)) record.shadow = shadow;
  auto* const all = new records(before);
  all->insert(all->begin() + (where - before.begin()), record);
  shown.store(all, std::memory_order_release);
  host_addresses.set(nullptr, 0);
  variable_addresses.set(all->front().begin,
                         static_cast<std::size_t>(all->back().begin - all->front().begin) + all->back().size);
}

namespace {
/// The first variable that begins behind `address`.
records::const_iterator after(const records& all, const char* address) {
  return std::upper_bound(all.begin(), all.end(), address,
                          [](const char* a, const variable_record& b) { return a < b.begin; });
}
}  // namespace

const variable_record* find_variable(const volatile void* address) {
  const auto* wanted = const_cast<const char*>(static_cast<const volatile char*>(address));
  const records& all = variables();
  const auto next = after(all, wanted);
  if (next == all.begin()) return nullptr;
  const variable_record& candidate = *std::prev(next);
  return wanted < candidate.begin + candidate.size ? &candidate : nullptr;
}

void between_variables(const void* address, address_range& range) {
  const records& all = variables();
  const auto next = after(all, static_cast<const char*>(address));
  if (next == all.begin() || next == all.end()) return;
  const char* const begin = std::prev(next)->begin + std::prev(next)->size;
  if (begin < next->begin) range.set(begin, static_cast<std::size_t>(next->begin - begin));
}

const variable_record* variable_with_number(std::uint32_t number) {
  const records& all = variables();
  const auto found =
      std::find_if(all.begin(), all.end(), [number](const variable_record& v) { return v.number == number; });
  return found == all.end() ? nullptr : &*found;
}

const variable_record* near_variable(const volatile void* address) {
  const auto wanted = reinterpret_cast<std::uintptr_t>(const_cast<const void*>(address));
  const variable_record* nearest = nullptr;
  std::uintptr_t best = 4096;
  for (const variable_record& v : variables()) {
    const auto begin = reinterpret_cast<std::uintptr_t>(v.begin), end = begin + v.size;
    const std::uintptr_t distance = wanted < begin ? begin - wanted : wanted < end ? 0 : wanted - end + 1;
    if (distance >= best) continue;
    best = distance;
    nearest = &v;
  }
  return nearest;
}

}  // namespace cuda_emulator

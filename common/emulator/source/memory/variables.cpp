// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "variables.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <map>
#include <mutex>
#include <vector>

#include "code/call_stack.hpp"
#include "device/devices.hpp"

namespace cuda_emulator {
namespace {
using records = std::vector<variable_record>;

// Most variables are registered before main() begins, static ones of functions when a thread first comes to
// them: other threads of the host may be looking then. A list never changes once it is shown; earlier ones
// stay.
std::atomic<const records*> shown_records{nullptr};

const records& variables() {
  static const records none;
  const records* all = shown_records.load(std::memory_order_acquire);
  return all == nullptr ? none : *all;
}

using values = std::map<std::uint32_t, std::vector<char>>;  // by number of the variable

/// Before any device has changed them. Guarded by the mutex below, as what follows.
values& initial_values() {
  static auto& all = *new values;
  return all;
}
std::mutex& variables_mutex = *new std::mutex;
int shown_device = 0;              // whose values the variables hold
values& kept_values(int device) {  // of the others
  static auto* const all = new values[most_devices];
  return all[device];
}

}  // namespace

void use_variables_of(int device) {
  const std::lock_guard lock(variables_mutex);
  if (device == shown_device) return;
  for (const variable_record& v : variables()) {
    if (v.space == memory_space::managed) continue;
    auto* const bytes = const_cast<char*>(v.begin);
    std::vector<char>& before = kept_values(shown_device)[v.number];
    before.assign(bytes, bytes + v.size);
    std::vector<char>& wanted = kept_values(device)[v.number];
    if (wanted.empty()) wanted = initial_values()[v.number];
    // Constants with a value may be where nobody can write; those are the same everywhere.
    if (!wanted.empty() && std::memcmp(bytes, wanted.data(), v.size) != 0)
      std::memcpy(bytes, wanted.data(), v.size);
  }
  shown_device = device;
}

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
                         .shadow = nullptr,
                         .awaits_copy = false};
  const std::lock_guard lock(variables_mutex);
  const records& before = variables();
  const auto where = std::lower_bound(before.begin(), before.end(), record,
                                      [](const auto& a, const auto& b) { return a.begin < b.begin; });
  if (where != before.end() && where->begin == record.begin) return;  // inline, and of several files
  record.number = static_cast<std::uint32_t>(before.size() + 1);
  auto* const shadow = new shadow_range;  // lives as long as the variable: until the program ends
  if (shadow->reserve((size + 4095) / 4096 * 4096)) record.shadow = shadow;
  record.awaits_copy = space == memory_space::constant && !has_host_copy && record.shadow != nullptr &&
                       std::all_of(record.begin, record.begin + size, [](char byte) { return byte == 0; });
  if (device_count() > 1 && space != memory_space::managed)
    initial_values()[record.number].assign(record.begin, record.begin + size);
  auto* const all = new records(before);
  all->insert(all->begin() + (where - before.begin()), record);
  shown_records.store(all, std::memory_order_release);
  host_addresses.set(nullptr, 0);
  variable_addresses.set(all->front().begin,
                         static_cast<std::size_t>(all->back().begin - all->front().begin) + all->back().size);
  tell_host_code();
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

namespace {

struct copy_to_variable {
  std::uint32_t variable;
  std::size_t offset, size;
  const char* function;
  call_stack made_at;
};

/// The last one of each range. Guarded by variables_mutex.
std::vector<copy_to_variable>& copies() {
  static auto& all = *new std::vector<copy_to_variable>;
  return all;
}

}  // namespace

void note_copy_to(const variable_record& variable, std::size_t offset, std::size_t size,
                  const char* function) {
  if (!variable.awaits_copy || size == 0) return;
  std::memset(variable.shadow->states + offset, state_defined, size);
  const copy_to_variable copy{variable.number, offset, size, function, caller_outside()};
  const std::lock_guard lock(variables_mutex);
  std::erase_if(copies(), [&](const copy_to_variable& before) {
    return before.variable == copy.variable && before.offset == offset && before.size == size;
  });
  copies().push_back(copy);
}

void note_address_taken(const variable_record& variable) {
  if (variable.awaits_copy) std::memset(variable.shadow->states, state_defined, variable.size);
}

copy_in_words nearest_copy_to(const variable_record& variable, std::size_t offset) {
  const std::lock_guard lock(variables_mutex);
  const copy_to_variable* nearest = nullptr;
  for (const copy_to_variable& each : copies())
    if (each.variable == variable.number && (nearest == nullptr || nearest->offset > offset ||
                                             (each.offset <= offset && each.offset >= nearest->offset)))
      nearest = &each;
  if (nearest == nullptr) return {};
  const std::string line = line_of(nearest->made_at);
  return {nearest->function + std::string("()") + (line.empty() ? "" : " at " + line) + ", wrote bytes " +
              std::to_string(nearest->offset) + " to " + std::to_string(nearest->offset + nearest->size - 1),
          nearest->offset, nearest->size, line};
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

std::vector<std::uint64_t> wraps_of(std::size_t element_size, const array_shape& shape) {
  std::uint64_t each = element_size;
  std::vector<std::uint64_t> all = {each << 32};
  for (int i = 2; i >= 0; --i)
    if (shape.inner[i] != 0) all.push_back((each *= shape.inner[i]) << 32);
  return all;
}

namespace {

/// Is it in the variable, or less than 4 KiB before?
bool may_mean(const variable_record& v, std::uintptr_t address) {
  const auto begin = reinterpret_cast<std::uintptr_t>(v.begin);
  return begin - 4096 < address && address < begin + v.size;
}

}  // namespace

std::uint64_t bytes_beyond_variable(const void* address) {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  for (const variable_record& v : variables())
    for (const std::uint64_t bytes : wraps_of(v.element_size, v.shape))
      if (may_mean(v, at - bytes)) return bytes;
  return 0;
}

std::vector<const variable_record*> variables_so_far_below(const void* address, std::uint64_t bytes) {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  std::vector<const variable_record*> all;
  for (const variable_record& v : variables())
    for (const std::uint64_t each : wraps_of(v.element_size, v.shape))
      if (each == bytes && may_mean(v, at - bytes)) all.push_back(&v);
  return all;
}

}  // namespace cuda_emulator

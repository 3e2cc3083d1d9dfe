// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "variables.hpp"

#include <algorithm>
#include <vector>

namespace cuda_emulator {
namespace {
// Filled before main() begins, and only then.
std::vector<variable_record>& variables() {
  static std::vector<variable_record> all;
  return all;
}
}  // namespace

void register_variable(const volatile void* address, std::size_t size, std::size_t element_size,
                       const char* name, memory_space space, const char* file, int line) {
  variable_record record{.begin = const_cast<const char*>(static_cast<const volatile char*>(address)),
                         .size = size,
                         .element_size = element_size,
                         .name = name,
                         .space = space,
                         .file = file,
                         .line = line,
                         .number = 0,
                         .shadow = nullptr};
  auto& all = variables();
  const auto where = std::lower_bound(all.begin(), all.end(), record,
                                      [](const auto& a, const auto& b) { return a.begin < b.begin; });
  if (where != all.end() && where->begin == record.begin) return;
  record.number = static_cast<std::uint32_t>(all.size() + 1);
  auto* const shadow = new shadow_range;  // lives as long as the variable: until the program ends
  if (shadow->reserve((size + 4095) / 4096 * 4096)) record.shadow = shadow;
  all.insert(where, record);
}

const variable_record* find_variable(const volatile void* address) {
  const auto* wanted = const_cast<const char*>(static_cast<const volatile char*>(address));
  auto& all = variables();
  auto after = std::upper_bound(all.begin(), all.end(), wanted,
                                [](const char* a, const variable_record& b) { return a < b.begin; });
  if (after == all.begin()) return nullptr;
  const variable_record& candidate = *std::prev(after);
  return wanted < candidate.begin + candidate.size ? &candidate : nullptr;
}

const variable_record* variable_with_number(std::uint32_t number) {
  const auto found = std::find_if(variables().begin(), variables().end(),
                                  [number](const variable_record& v) { return v.number == number; });
  return found == variables().end() ? nullptr : &*found;
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

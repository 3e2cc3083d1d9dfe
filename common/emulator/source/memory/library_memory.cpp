// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "library_memory.hpp"

#include "memory/shadow.hpp"
#include "memory/variables.hpp"

namespace cuda_emulator {

std::string count(std::size_t number, const char* plural) {
  std::string text = std::to_string(number) + " " + plural;
  if (number == 1) text.pop_back();
  return text;
}

std::string made_at(const allocation& a) {
  const std::string line = line_of(a.made_at);
  return line.empty() ? "that is number " + std::to_string(a.number) + " of this program" : "made at " + line;
}

std::optional<room> room_at(const void* address) {
  const auto* begin = static_cast<const char*>(address);
  device_memory& memory = device_memory::instance();
  if (const auto found = memory.find(begin))
    return room{static_cast<std::size_t>(found->begin + found->size - begin),
                "the allocation of " + count(found->size, "bytes") + " " + made_at(*found)};
  if (const variable_record* variable = find_variable(begin))
    return room{static_cast<std::size_t>(variable->begin + variable->size - begin),
                std::string("the variable ") + variable->name + " of " + count(variable->size, "bytes"),
                variable->space == memory_space::constant};
  return std::nullopt;
}

std::uint8_t* states_of(const void* address) {
  device_memory& memory = device_memory::instance();
  if (global_shadow.states == nullptr || !memory.contains(address)) return nullptr;
  return global_shadow.states + (static_cast<const char*>(address) - memory.base());
}

}  // namespace cuda_emulator

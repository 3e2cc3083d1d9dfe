// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "host_variables.hpp"

#include <optional>
#include <string>

#include "code/source_text.hpp"
#include "code/symbolize.hpp"
#include "memory/variables.hpp"

namespace cuda_emulator {
namespace {

struct linked_variable {
  std::string name;  // without namespaces
  const char* begin;
  std::size_t size;
};

/// The variable that the linker knows at this address, if the program has written it as such.
std::optional<linked_variable> linked_at(const void* address) {
  const linker_symbol symbol = linker_symbol_at(address);
  std::string name = demangled(symbol.name);
  if (name.empty()) name = symbol.name;
  // "(anonymous namespace)::limit", "main::table", "outer<int>::limit[abi:x]"
  if (const std::size_t last = name.rfind("::"); last != name.npos) name.erase(0, last + 2);
  const bool simple = !name.empty() && name.find_first_not_of(
                                           "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                           "0123456789_") == name.npos;
  if (!simple || symbol.size == 0 || name.starts_with("emulator_") || name.starts_with("_"))
    return std::nullopt;
  return linked_variable{name, symbol.begin, symbol.size};
}

bool points_into(const launch_state& launch, const char* begin, std::size_t size) {
  for (int i = 0; i < launch.request.argument_count; ++i) {
    const auto* pointer = static_cast<const char*>(launch.request.arguments[i].pointer);
    if (pointer >= begin && pointer < begin + size) return true;
  }
  return false;
}

}  // namespace

void name_host_variable(raw_finding& f, const launch_state& launch) {
  if ((f.kind != finding_kind::out_of_bounds && f.kind != finding_kind::host_pointer) || f.fetched ||
      f.shared_offset != ~0ull || find_variable(f.address) != nullptr)
    return;
  const auto linked = linked_at(f.address);
  if (!linked) return;
  if (const variable_record* beside = near_variable(f.address)) {
    // An index that leaves `beside`, or the host's own variable: the line says which, or what the kernel was
    // given.
    const std::string line = line_text(place_of(f.pc));
    const bool named = has_word(line, linked->name) || points_into(launch, linked->begin, linked->size);
    if (!named || has_word(line, beside->name)) return;
  }
  f.kind = finding_kind::host_pointer;
  f.host_variable = linked->name;
  f.host_variable_offset = static_cast<const char*>(f.address) - linked->begin;
  f.host_variable_size = linked->size;
}

}  // namespace cuda_emulator

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "named_memory.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "code/source_text.hpp"
#include "memory/registered_ranges.hpp"
#include "memory/variables.hpp"

namespace cuda_emulator {
namespace {

// ---- Elements

std::size_t inner_elements(const array_shape& shape) {
  std::size_t count = 1;
  for (const unsigned each : shape.inner)
    if (each != 0) count *= each;
  return count;
}

std::ptrdiff_t floor_of(std::ptrdiff_t a, std::ptrdiff_t b) { return a >= 0 ? a / b : -((-a + b - 1) / b); }

std::string bracket(std::ptrdiff_t index) { return "[" + std::to_string(index) + "]"; }

/// "[3][4]" for an array of that shape.
std::string brackets(std::ptrdiff_t index, const array_shape& shape) {
  auto rest = static_cast<std::ptrdiff_t>(inner_elements(shape));
  std::string text = bracket(floor_of(index, rest));
  index -= floor_of(index, rest) * rest;
  for (const unsigned each : shape.inner) {
    if (each == 0) break;
    rest /= static_cast<std::ptrdiff_t>(each);
    text += bracket(index / rest);
    index %= rest;
  }
  return text;
}

/// An index of a row may have run over its end: "tile[4][0]" is where tile[3][33] is, too. Empty where that
/// is unlikely.
std::string beyond_row(const std::string& name, std::ptrdiff_t index, std::ptrdiff_t count,
                       const array_shape& shape) {
  const auto cols = static_cast<std::ptrdiff_t>(shape.inner[0]);
  if (cols == 0 || shape.inner[1] != 0) return "";
  std::ptrdiff_t row = floor_of(index, cols);
  if (index < 0)
    row = 0;
  else if (index >= count)
    row = count / cols - 1;
  else if (index % cols == 0 && row > 0)
    --row;
  else
    return "";
  const std::ptrdiff_t col = index - row * cols;
  if (col < -cols || col >= 2 * cols) return "";
  const std::string end = col < 0 ? "begins with [0]" : "ends with " + bracket(cols - 1);
  return " (or " + name + bracket(row) + bracket(col) + ": a row " + end + ")";
}

/// "8 elements of 4 bytes", "32 x 33 elements of 4 bytes".
std::string elements(std::size_t size, std::size_t element_size, const array_shape& shape = {}) {
  if (element_size == 0) element_size = 1;
  const std::size_t count = size / element_size, inner = inner_elements(shape);
  std::string text = std::to_string(count / inner);
  for (const unsigned each : shape.inner)
    if (each != 0) text += " x " + std::to_string(each);
  return text + (count == 1 ? " element" : " elements") + " of " + bytes(element_size);
}

// ---- Parameters

struct pointer_parameter {
  std::string name;
  const char* begin;
  std::size_t element_size;
  array_shape shape;
};

/// The names of the kernel's parameters stand one after the other: "x,samples,y".
std::vector<pointer_parameter> parameters_into(const allocation& a, const launch_state& launch) {
  std::vector<pointer_parameter> found;
  const char* names = launch.kernel.parameters;
  for (int i = 0; i < launch.request.argument_count && names != nullptr && *names != '\0'; ++i) {
    const std::size_t length = std::strcspn(names, ",");
    const launch_argument& argument = launch.request.arguments[i];
    const auto* begin = static_cast<const char*>(argument.pointer);
    if (begin >= a.begin && begin <= a.begin + a.size && length != 0)
      found.push_back({{names, length},
                       begin,
                       std::max<std::size_t>(argument.element_size / inner_elements(argument.shape), 1),
                       argument.shape});
    names += length + (names[length] == ',');
  }
  return found;
}

/// The line of the kernel, up to a comment: what it names is what the kernel uses there.
std::string code_of(const access_place& place) {
  if (place.kernel.line == 0) return "";
  const std::string line = line_text(place.kernel);
  return line.substr(0, line.find("//"));
}

const char* kind_of_memory(allocation_kind kind) {
  switch (kind) {
    case allocation_kind::device:
      break;
    case allocation_kind::heap:
      return "memory of the heap";
    case allocation_kind::host:
      return "pinned memory of the host";
    case allocation_kind::managed:
      return "managed memory";
  }
  return "global memory";
}

std::string made_at(const allocation& a) {
  const std::string line = line_of(a.made_at);
  return line.empty() ? "allocation number " + std::to_string(a.number) + " of this program"
                      : "allocated at " + line;
}

named_array by_parameter(const pointer_parameter& p, const allocation& a, const char* address) {
  named_array result{p.name, "", address - p.begin, 0, p.element_size, p.shape};
  result.is_pointer = true;
  result.begins_at = static_cast<std::size_t>(p.begin - a.begin);
  result.size = a.size - result.begins_at;
  result.made_at = line_of(a.made_at);
  result.about = std::string(" in ") + kind_of_memory(a.kind) + " (" + p.name;
  if (result.begins_at == 0)
    result.about += " has " + elements(a.size, p.element_size, p.shape);
  else if (result.begins_at % p.element_size == 0)
    result.about += " points to element " +
                    bracket(static_cast<std::ptrdiff_t>(result.begins_at / p.element_size)) + " of " +
                    elements(a.size, p.element_size);
  else
    result.about += " points to byte " + std::to_string(result.begins_at) + " of " + bytes(a.size);
  result.about += ", " + made_at(a) + ")";
  return result;
}

named_array in_allocation(const allocation& a, const raw_finding& f, const launch_state* launch,
                          const std::string& code, const std::string& what_became) {
  const auto* address = static_cast<const char*>(f.address);
  std::vector<pointer_parameter> all;
  if (launch != nullptr) all = parameters_into(a, *launch);
  std::vector<pointer_parameter> used;
  for (const pointer_parameter& each : all)
    if (has_word(code, each.name)) used.push_back(each);
  named_array result;
  if (used.size() == 1 || (used.empty() && all.size() == 1)) {
    result = by_parameter(used.size() == 1 ? used[0] : all[0], a, address);
  } else {
    result.offset = address - a.begin;
    result.size = a.size;
    result.element_size = f.size;
    result.about = allocated(a, f.size);
    const std::vector<pointer_parameter>& several = used.empty() ? all : used;
    for (std::size_t i = 0; i < several.size(); ++i)
      result.about += (i == 0 ? ", into which " : i + 1 < several.size() ? ", " : " and ") + several[i].name;
    if (!several.empty()) result.about += " point";
  }
  result.about += what_became;
  return result;
}

/// An index of 32 bits without a sign that went below zero: 2^32 elements further than it should.
std::optional<named_array> wrapped(const raw_finding& f, const launch_state* launch) {
  constexpr std::ptrdiff_t all = std::ptrdiff_t{1} << 32, furthest = 1 << 24;
  if (launch == nullptr) return std::nullopt;
  const auto* const address = static_cast<const char*>(f.address);
  for (int i = 0; i < launch->request.argument_count; ++i) {
    const auto* const pointer = static_cast<const char*>(launch->request.arguments[i].pointer);
    const auto inside = device_memory::instance().find(pointer);
    if (!inside) continue;
    for (const pointer_parameter& each : parameters_into(*inside, *launch)) {
      const std::ptrdiff_t below =
          all - (address - each.begin) / static_cast<std::ptrdiff_t>(each.element_size);
      if (each.begin == pointer && 0 < below && below < furthest) return by_parameter(each, *inside, address);
    }
  }
  return std::nullopt;
}

named_array in_device_memory(const raw_finding& f, const launch_state* launch, const access_place& place) {
  device_memory& memory = device_memory::instance();
  const std::string code = code_of(place);
  if (const auto inside = memory.find(f.address)) return in_allocation(*inside, f, launch, code, "");
  if (const auto freed = memory.freed(f.address))
    return in_allocation(*freed, f, launch, code, ", which has been freed");
  const std::vector<allocation> around = memory.around(f.address);
  if (around.empty()) {
    if (const auto freed = memory.freed_before(f.address)) return in_allocation(*freed, f, launch, code, "");
    if (const auto below = wrapped(f, launch)) return *below;
    named_array none;
    none.about = "device memory that belongs to no allocation";
    none.known = false;
    return none;
  }
  // What the line names comes first, then what the kernel was given, then the nearer one.
  const auto rank = [&](const allocation& a) {
    if (launch == nullptr) return 0;
    const auto all = parameters_into(a, *launch);
    const bool named = std::any_of(all.begin(), all.end(),
                                   [&](const pointer_parameter& each) { return has_word(code, each.name); });
    return named ? 2 : all.empty() ? 0 : 1;
  };
  const bool second = around.size() > 1 && rank(around[1]) > rank(around[0]);
  return in_allocation(around[second ? 1 : 0], f, launch, code, "");
}

// ---- Variables

named_array in_shared_memory(const raw_finding& f, const launch_state& launch) {
  const placed_variable* const v = nearest_shared(f, launch);
  named_array result;
  if (v == nullptr) {
    result.about = "shared memory outside of all variables";
    result.known = false;
    return result;
  }
  result.name = v->name;
  result.offset = static_cast<std::ptrdiff_t>(f.shared_offset) - static_cast<std::ptrdiff_t>(v->offset);
  result.size = v->size;
  // Dynamic memory is often declared as bytes and used as another type.
  const bool as_used = v->element_size == 1 && f.size > 1 && v == &launch.shared.dynamic_variable();
  result.element_size = as_used ? f.size : v->element_size;
  result.is_pointer = v == &launch.shared.dynamic_variable();
  result.shape = v->shape;
  result.made_at = shown(v->file) + ":" + std::to_string(v->line);
  result.about = " in shared memory (" + result.name + " has " +
                 elements(v->size, result.element_size, v->shape) + ", declared at " + shown(v->file) + ":" +
                 std::to_string(v->line) + ")";
  return result;
}

named_array in_variable(const variable_record& v, const char* address) {
  named_array result{v.name, "", address - v.begin, v.size, v.element_size, v.shape};
  result.made_at = shown(v.file) + ":" + std::to_string(v.line);
  result.about = std::string(" in ") + (v.space == memory_space::constant ? "constant" : "global") +
                 " memory (" + v.name + " has " + elements(v.size, v.element_size, v.shape) +
                 ", declared at " + shown(v.file) + ":" + std::to_string(v.line) + ")";
  return result;
}

/// The one that the line names, of those that may be meant, or else the nearest.
const variable_record* variable_meant(const raw_finding& f, const access_place& place) {
  const auto* const address = static_cast<const char*>(f.address);
  if (f.wrapped == 0) return near_variable(address);
  const std::string code = code_of(place);
  for (const variable_record* const v : variables_so_far_below(address, f.wrapped))
    if (has_word(code, v->name)) return v;
  return near_variable(address - f.wrapped);
}

std::string registered_text(const char* address) {
  char text[32];
  std::snprintf(text, sizeof text, "address 0x%llx",
                static_cast<unsigned long long>(reinterpret_cast<std::uintptr_t>(address)));
  const auto range = near_registered(address);
  if (!range) return text;
  const std::ptrdiff_t offset = address - range->begin;
  const std::string line = line_of(range->made_at);
  return std::string(text) + ", " +
         (offset < 0 ? bytes(static_cast<std::size_t>(-offset)) + " before"
          : static_cast<std::size_t>(offset) < range->size
              ? "byte " + std::to_string(offset) + " of"
              : bytes(static_cast<std::size_t>(offset) - range->size) + " behind the end of") +
         " the " + bytes(range->size) + " that were registered" +
         ((range->flags & cudaHostRegisterReadOnly) != 0 ? " for reading only" : "") +
         (line.empty() ? "" : " at " + line);
}

}  // namespace

std::string bytes(std::size_t size) { return std::to_string(size) + (size == 1 ? " byte" : " bytes"); }

std::string allocated(const allocation& a, std::size_t element_size) {
  const std::string line = line_of(a.made_at);
  return "the allocation of " + bytes(a.size) +
         (element_size != 0 ? " (" + elements(a.size, element_size) + ")" : "") +
         (line.empty() ? " that is number " + std::to_string(a.number) + " of this program"
                       : " made at " + line);
}

const placed_variable* nearest_shared(const raw_finding& f, const launch_state& launch) {
  const std::ptrdiff_t offset =
      static_cast<std::ptrdiff_t>(f.shared_offset) - static_cast<std::ptrdiff_t>(f.wrapped);
  const placed_variable* nearest = nullptr;
  std::ptrdiff_t best = 0;
  const auto consider = [&](const placed_variable& v) {
    if (v.name == nullptr) return;
    const auto begin = static_cast<std::ptrdiff_t>(v.offset),
               end = begin + static_cast<std::ptrdiff_t>(v.size);
    // What wraps comes from below zero, of the array or of one of its rows.
    if (f.wrapped != 0 && (offset >= end || (offset >= begin && v.shape.inner[0] == 0))) return;
    const std::ptrdiff_t distance = offset < begin ? begin - offset : offset < end ? 0 : offset - end + 1;
    if (nearest == nullptr || distance < best) {
      nearest = &v;
      best = distance;
    }
  };
  for (const placed_variable& v : launch.shared.variables()) consider(v);
  consider(launch.shared.dynamic_variable());
  return nearest;
}

namespace {

constexpr std::ptrdiff_t all_indices = std::ptrdiff_t{1} << 32;

/// The row and the negative column, if the index of a column has wrapped.
std::optional<std::pair<std::ptrdiff_t, std::ptrdiff_t>> wrapped_column(const named_array& a,
                                                                        const raw_finding& f) {
  const auto each = static_cast<std::ptrdiff_t>(std::max<std::size_t>(a.element_size, 1)),
             cols = static_cast<std::ptrdiff_t>(a.shape.inner[0]);
  if (f.wrapped == 0 || static_cast<std::ptrdiff_t>(f.wrapped) != all_indices * each || cols == 0 ||
      a.shape.inner[1] != 0)
    return std::nullopt;
  const std::ptrdiff_t index = floor_of(a.offset - static_cast<std::ptrdiff_t>(f.wrapped), each),
                       row = floor_of(index, cols) + 1;
  return std::pair(row, index - row * cols);
}

}  // namespace

std::string below_zero(const named_array& a, const raw_finding& f) {
  if (!a.known || a.name.empty()) return "";
  const auto each = static_cast<std::ptrdiff_t>(std::max<std::size_t>(a.element_size, 1));
  if (const auto column = wrapped_column(a, f))
    return a.name + bracket(column->first) + bracket(column->second);
  if (f.wrapped != 0)
    return subscripted(a, floor_of(a.offset - static_cast<std::ptrdiff_t>(f.wrapped), each));
  const std::ptrdiff_t index = a.offset / each;
  const bool is_below =
      all_indices / 2 < index && index < all_indices && static_cast<std::ptrdiff_t>(a.size) <= a.offset;
  return is_below ? subscripted(a, index - all_indices) : "";
}

std::optional<named_array> far_from_array(const raw_finding& f, const launch_state& launch,
                                          const access_place& place) {
  const auto* const address = static_cast<const char*>(f.address);
  if (reinterpret_cast<std::uintptr_t>(address) < 65536 || !f.host_variable.empty() ||
      near_registered(address))
    return std::nullopt;
  const std::string code = code_of(place);
  std::optional<named_array> meant;
  for (int i = 0; i < launch.request.argument_count; ++i) {
    const void* const pointer = launch.request.arguments[i].pointer;
    if (pointer == nullptr) continue;
    const auto inside = device_memory::instance().find(pointer);
    if (!inside) return std::nullopt;  // the host's, perhaps
    for (const pointer_parameter& each : parameters_into(*inside, launch)) {
      if (each.begin != pointer || !has_word(code, each.name)) continue;
      if (meant && meant->name != each.name) return std::nullopt;
      meant = by_parameter(each, *inside, address);
    }
  }
  if (!meant) return std::nullopt;
  const auto size = static_cast<std::ptrdiff_t>(meant->element_size);
  const std::ptrdiff_t index = meant->offset / size, most = std::ptrdiff_t{1} << 31;
  if (meant->offset % size != 0 || meant->element_size != f.size || index < -most || index >= most)
    return std::nullopt;
  return meant;
}

named_array array_at(const raw_finding& f, const launch_state* launch, const access_place& place) {
  const auto* const address = static_cast<const char*>(f.address);
  named_array result;
  if (f.shared_offset != ~0ull && launch != nullptr) {
    result = in_shared_memory(f, *launch);
  } else if (device_memory::instance().contains(address)) {
    result = in_device_memory(f, launch, place);
  } else if (!f.host_variable.empty()) {
    result = {f.host_variable, ", a variable of the host (" + bytes(f.host_variable_size) + ")",
              f.host_variable_offset, f.host_variable_size, f.size};
  } else if (const variable_record* const variable = variable_meant(f, place)) {
    result = in_variable(*variable, address);
  } else if (const auto far = launch == nullptr ? std::nullopt : far_from_array(f, *launch, place)) {
    result = *far;
  } else {
    result.about = registered_text(address);
    result.known = false;
  }
  if (f.size != 0)
    result.aligned =
        (reinterpret_cast<std::uintptr_t>(address) - static_cast<std::uintptr_t>(result.offset)) % f.size ==
        0;
  return result;
}

std::string subscripted(const named_array& a, std::ptrdiff_t index) {
  return a.name + brackets(index, a.shape);
}

std::string element_text(const named_array& a, const raw_finding& f) {
  if (!a.known) return a.about;
  if (a.element_size == 0) return byte_text(a);
  const auto each = static_cast<std::ptrdiff_t>(a.element_size);
  const std::ptrdiff_t index = floor_of(a.offset, each),
                       last = floor_of(
                           a.offset + std::max(static_cast<std::ptrdiff_t>(f.size), std::ptrdiff_t{1}) - 1,
                           each);
  const auto count = static_cast<std::ptrdiff_t>(a.size) / each;
  if (a.name.empty()) return "element " + bracket(index) + " of " + a.about;
  if (a.size <= a.element_size && index == 0 && !a.is_pointer) return a.name + a.about;
  if (const auto column = wrapped_column(a, f))
    return a.name + bracket(column->first) + bracket(column->second + all_indices) + a.about;
  std::string text = subscripted(a, index);
  if (last > index) text += (last == index + 1 ? " and " : " to ") + subscripted(a, last);
  const bool may_be_beyond = f.kind == finding_kind::out_of_bounds ||
                             f.kind == finding_kind::uninitialized_read || f.kind == finding_kind::race;
  if (may_be_beyond && last == index) text += beyond_row(a.name, index, count, a.shape);
  return text + a.about;
}

std::string byte_text(const named_array& a) {
  if (!a.known) return a.about;
  return "byte " + std::to_string(a.offset) + " of " + a.name + a.about;
}

}  // namespace cuda_emulator

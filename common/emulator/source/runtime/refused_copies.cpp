// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "refused_copies.hpp"

#include "code/call_stack.hpp"
#include "code/symbolize.hpp"
#include "device/standard_error.hpp"
#include "memory/device_memory.hpp"
#include "memory/registered_ranges.hpp"
#include "tell/named_memory.hpp"

namespace cuda_emulator {
namespace {

const char* name_of(cudaMemcpyKind kind) {
  switch (kind) {
    case cudaMemcpyHostToHost:
      return "cudaMemcpyHostToHost";
    case cudaMemcpyHostToDevice:
      return "cudaMemcpyHostToDevice";
    case cudaMemcpyDeviceToHost:
      return "cudaMemcpyDeviceToHost";
    case cudaMemcpyDeviceToDevice:
      return "cudaMemcpyDeviceToDevice";
    case cudaMemcpyDefault:
      break;
  }
  return "cudaMemcpyDefault";
}

std::string asked_for(std::size_t size, std::size_t offset) {
  return bytes(size) + (size == 1 ? " was" : " were") + " asked for, from byte " + std::to_string(offset) +
         " on";
}

std::string beyond(const char* which, const std::string& what, std::size_t size, std::size_t offset) {
  return std::string(which) + " does not fit: " + asked_for(size, offset) + " of " + what;
}

}  // namespace

bool place(const void* pointer, std::size_t size, side& result) {
  const auto* begin = static_cast<const char*>(pointer);
  if (device_memory::instance().contains(begin)) {
    const auto found = device_memory::instance().find(begin);
    if (!found || found->leaving || found->kind == allocation_kind::heap ||
        begin + size > found->begin + found->size)
      return false;
    result = found->kind == allocation_kind::device ? side::device : side::either;
  } else if (const variable_record* variable = find_variable(begin); variable != nullptr) {
    if (begin + size > variable->begin + variable->size) return false;
    result = variable->space == memory_space::managed ? side::either : side::device;
  } else if (const auto range = registered_at(begin)) {
    if (begin + size > range->begin + range->size) return false;
    result = side::either;
  } else {
    result = side::host;
  }
  return true;
}

std::string why_no_place(const char* which, const void* pointer, std::size_t size) {
  const auto* begin = static_cast<const char*>(pointer);
  const auto from = [begin](const char* first) { return static_cast<std::size_t>(begin - first); };
  device_memory& memory = device_memory::instance();
  if (memory.contains(begin)) {
    if (const auto found = memory.find(begin); found && found->kind == allocation_kind::heap)
      return std::string(which) + " is in " + allocated(*found, 0) +
             " on the heap of kernels, which only kernels can use";
    if (const auto found = memory.find(begin)) {
      const bool elements = begin == found->begin && found->size > 1 &&
                            (size == 2 * found->size || size == 4 * found->size || size == 8 * found->size);
      if (elements) tell_note("small_allocation", line_of(found->made_at), "");
      return beyond(which, allocated(*found, 0), size, from(found->begin)) +
             (elements ? ", which is " + std::to_string(size / found->size) +
                             " times too small: cudaMalloc() takes bytes, elements times sizeof()"
                       : "");
    }
    if (const auto freed = memory.freed(begin))
      return std::string(which) + " is in " + allocated(*freed, 0) + ", which has been freed";
    const auto near = memory.near(begin);
    if (!near) return std::string(which) + " is device memory that belongs to no allocation";
    const std::string distance =
        begin < near->begin                 ? bytes(static_cast<std::size_t>(near->begin - begin)) + " before"
        : begin == near->begin + near->size ? std::string("at the end of")
                                            : bytes(from(near->begin + near->size)) + " behind the end of";
    return std::string(which) + " begins " + distance + " " + allocated(*near, 0);
  }
  if (const variable_record* const variable = find_variable(begin))
    return why_beyond_variable(*variable, size, from(variable->begin));
  if (const auto range = registered_at(begin)) {
    const std::string line = line_of(range->made_at);
    return beyond(which,
                  "the " + bytes(range->size) + " of host memory that were registered" +
                      (line.empty() ? "" : " at " + line),
                  size, from(range->begin));
  }
  return "";
}

std::string why_wrong_direction(side to, side from, cudaMemcpyKind kind) {
  const auto of = [](side each) {
    return each == side::host ? "host memory" : each == side::device ? "device memory" : "memory of both";
  };
  std::string text;
  if (to == from)
    text = std::string("both sides are ") + of(to);
  else
    text = std::string("the destination is ") + of(to) + " and the source " + of(from);
  text += std::string(", but ") + name_of(kind) + " copies from the " +
          (kind == cudaMemcpyHostToHost || kind == cudaMemcpyHostToDevice ? "host" : "device") + " to the " +
          (kind == cudaMemcpyHostToHost || kind == cudaMemcpyDeviceToHost ? "host" : "device");
  // One of the two arguments, the direction or both are wrong; the memory says which direction it would be.
  const char* const exchange = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToHost
                                   ? "; or exchange the two pointers: the destination comes first)"
                                   : ")";
  if (to == side::device && from == side::host)
    text += std::string(" (cudaMemcpyHostToDevice copies these") + exchange;
  if (to == side::host && from == side::device)
    text += std::string(" (cudaMemcpyDeviceToHost copies these") + exchange;
  if (to == side::device && from == side::device) text += " (cudaMemcpyDeviceToDevice copies these)";
  if (to == side::host && from == side::host) text += " (is a cudaMalloc() missing?)";
  return text;
}

std::string why_beyond_variable(const variable_record& v, std::size_t size, std::size_t offset) {
  return asked_for(size, offset) + " of " + v.name + ", which has " + bytes(v.size) + " (declared at " +
         shown(v.file) + ":" + std::to_string(v.line) + ")";
}

std::string why_beyond_pitch(const char* which, std::size_t width, std::size_t pitch) {
  return "a row of " + bytes(width) + " is longer than the pitch of " + which + ", " + bytes(pitch) +
         " (a width and a pitch count bytes)";
}

std::string why_beyond_array(const cudaArray& array, std::size_t x, std::size_t y, std::size_t width,
                             std::size_t height) {
  if (x % array.element_bytes() != 0 || width % array.element_bytes() != 0)
    return "an offset of " + bytes(x) + " and a width of " + bytes(width) +
           " are not both multiples of the " + bytes(array.element_bytes()) + " of an element";
  return bytes(width) + " in each of " + std::to_string(height) + (height == 1 ? " row" : " rows") +
         " were asked for, from byte " + std::to_string(x) + " of row " + std::to_string(y) + " on, of " +
         array_at(array.data) + ", which has " + std::to_string(array.rows()) +
         (array.rows() == 1 ? " row of " : " rows of ") + bytes(array.row_bytes);
}

}  // namespace cuda_emulator

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "block_trace.hpp"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>
#include <mutex>

#include "code/symbolize.hpp"
#include "launch_state.hpp"
#include "memory/device_memory.hpp"
#include "memory/textures.hpp"
#include "memory/variables.hpp"

namespace cuda_emulator {
namespace {

constexpr std::size_t most_accesses = 50'000;  // of one launch: a megabyte or two of text

const char* name_of(space where) {
  constexpr const char* names[] = {"global", "shared", "constant", "texture"};
  return names[static_cast<int>(where)];
}

const char* name_of(access_kind kind) {
  return kind == access_kind::read    ? "load"
         : plainly_writes(kind)       ? "store"
         : kind == access_kind::fetch ? "fetch"
                                      : "atomic";
}

/// The names of the kernel's parameters, one after the other: "x,samples,y".
std::string parameter_name(const char* names, int index) {
  for (; index > 0 && *names != '\0'; --index) {
    const char* comma = std::strchr(names, ',');
    if (comma == nullptr) return "";
    names = comma + 1;
  }
  return {names, std::strcspn(names, ",")};
}

}  // namespace

block_trace::block_trace(launch_state& launch) : launch_(launch) {}

void block_trace::add(space where, const site& what, std::uint32_t lanes, const std::uint64_t* addresses,
                      unsigned parts) {
  if (cut_ || accesses_.size() + static_cast<unsigned>(std::popcount(lanes)) > most_accesses) {
    cut_ = true;
    return;
  }
  requests_.push_back(
      {interval_, warp_, where, what.kind, what.size, parts, what.pc, accesses_.size(), samples_.size()});
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    accesses_.push_back({warp_ * 32 + lane, array_of(where, addresses[lane], what.size), addresses[lane]});
  }
}

std::uint64_t block_trace::begin_fetch(std::uint64_t texture, const double (&point)[3]) {
  // More than this is not shown, and need not be kept.
  if (!cut_ && texels_.size() <= most_accesses && fetches_.size() <= most_accesses)
    fetches_.push_back({texture, {point[0], point[1], point[2]}, texels_.size()});
  else
    cut_ = true;
  return fetches_.size() - 1;
}

void block_trace::add_texel(std::int64_t x, std::int64_t y, std::int64_t z) {
  if (!cut_) texels_.push_back({{x, y, z}});
}

void block_trace::add_fetches(const site& what, std::uint32_t lanes, const std::uint64_t* fetches) {
  const auto end_of = [&](std::uint64_t f) {
    return f + 1 < fetches_.size() ? fetches_[f + 1].first_texel : texels_.size();
  };
  std::size_t texels = 0;
  for (std::uint32_t rest = lanes; rest != 0 && !cut_; rest &= rest - 1) {
    const std::uint64_t f = fetches[std::countr_zero(rest)];
    texels += end_of(f) - fetches_[f].first_texel;
  }
  if (cut_ || accesses_.size() + texels > most_accesses) {
    cut_ = true;
    return;
  }
  requests_.push_back({interval_, warp_, space::texture, what.kind, what.size, 0, what.pc, accesses_.size(),
                       samples_.size()});
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest), thread = warp_ * 32 + lane;
    const fetch& f = fetches_[fetches[lane]];
    const std::size_t which = array_of_texture(f.texture, what.size);
    const array& a = arrays_[which];
    samples_.push_back({thread, which, {f.point[0], f.point[1], f.point[2]}});
    for (std::size_t i = f.first_texel; i < end_of(fetches[lane]); ++i) {
      const auto& at = texels_[i].at;
      const std::uint64_t index =
          static_cast<std::uint64_t>(at[0]) +
          a.extent[0] * (static_cast<std::uint64_t>(at[1]) + a.extent[1] * static_cast<std::uint64_t>(at[2]));
      accesses_.push_back({thread, which, index * a.element_size});
    }
  }
}

std::size_t block_trace::array_of_texture(std::uint64_t texture, unsigned element_size) {
  for (std::size_t a = 0; a < arrays_.size(); ++a)
    if (arrays_[a].where == space::texture && arrays_[a].begin == texture) return a;
  arrays_.push_back(described_texture(texture, element_size));
  return arrays_.size() - 1;
}

block_trace::array block_trace::described_texture(std::uint64_t handle, unsigned element_size) const {
  array made{"texture_" + std::to_string(handle), space::texture, handle, element_size, element_size};
  const launch_request& request = launch_.request;
  for (int i = request.argument_count - 1; i >= 0; --i)
    if (request.arguments[i].texture == handle) {
      const std::string name = parameter_name(launch_.kernel.parameters, i);
      if (!name.empty()) made.name = name;
    }
  if (const cuda_emulator::texture* const t = find_texture(handle); t != nullptr)
    for (int axis = 0; axis < 3; ++axis) made.extent[axis] = static_cast<std::uint64_t>(t->size[axis]);
  made.size = made.extent[0] * made.extent[1] * made.extent[2] * element_size;
  return made;
}

std::size_t block_trace::array_of(space where, std::uint64_t address, unsigned size) {
  for (std::size_t a = 0; a < arrays_.size(); ++a)
    if (arrays_[a].where == where && address - arrays_[a].begin < arrays_[a].size) return a;
  arrays_.push_back(described(where, address, size));
  return arrays_.size() - 1;
}

// A table is often declared as bytes, or lies in a structure: its elements are then what is first accessed.
// No type that a kernel accesses at once has more than 16 bytes.
static std::size_t element_of(std::size_t declared, unsigned accessed) {
  return declared == 1 || declared > 16 ? accessed : declared;
}

block_trace::array block_trace::described(space where, std::uint64_t address, unsigned size) const {
  if (where == space::shared) return described_shared(address, size);
  if (where == space::global && device_memory::instance().find(device_memory::instance().base() + address))
    return described_global(address, size);
  // Variables are numbered, and not known by their addresses (see observer::locate()).
  if (const variable_record* variable = variable_with_number(static_cast<std::uint32_t>(address >> 32)))
    return {variable->name, where, std::uint64_t{variable->number} << 32,
            element_of(variable->element_size, size), variable->size};
  return {"memory_of_the_host", where, address, size, size};
}

block_trace::array block_trace::described_shared(std::uint64_t address, unsigned size) const {
  constexpr space where = space::shared;
  const std::lock_guard lock(launch_.shared.mutex());
  for (const placed_variable& v : launch_.shared.variables())
    if (address - v.offset < v.size)
      return {v.name, where, v.offset, element_of(v.element_size, size), v.size};
  // Dynamic memory is often declared as another type than it is used as.
  if (const placed_variable& v = launch_.shared.dynamic_variable();
      v.name != nullptr && address - v.offset < v.size)
    return {v.name, where, v.offset, size, v.size};
  return {"shared_memory", where, address, size, size};
}

// The kernel knows an allocation by the pointers into it that it was given: its indices count from there.
block_trace::array block_trace::described_global(std::uint64_t address, unsigned size) const {
  device_memory& memory = device_memory::instance();
  const allocation a = *memory.find(memory.base() + address);
  const auto offset = [&](const void* pointer) {
    return static_cast<std::uint64_t>(static_cast<const char*>(pointer) - memory.base());
  };
  const std::uint64_t allocation_begin = offset(a.begin), allocation_end = allocation_begin + a.size;
  const launch_request& request = launch_.request;
  array best{"memory_" + std::to_string(a.number), space::global, allocation_begin, size, a.size};
  bool found = false;
  std::uint64_t next = allocation_end;  // where the next pointer's part begins
  for (int i = 0; i < request.argument_count; ++i) {
    const launch_argument& argument = request.arguments[i];
    if (argument.pointer == nullptr || !memory.contains(argument.pointer)) continue;
    const std::uint64_t begin = offset(argument.pointer);
    if (begin < allocation_begin || begin >= allocation_end) continue;
    if (begin > address) {
      next = std::min(next, begin);
    } else if (!found || begin > best.begin) {
      found = true;
      const std::string name = parameter_name(launch_.kernel.parameters, i);
      best.begin = begin;
      best.name = name.empty() ? best.name : name;
      best.element_size = std::max<std::size_t>(argument.element_size, 1);
    }
  }
  best.size = next - best.begin;
  return best;
}

std::string block_trace::text_of(std::size_t which) const {
  const array& a = arrays_[which];
  std::string text = "array " + std::to_string(which) + " " + name_of(a.where) + " " + a.name + " " +
                     std::to_string(a.element_size) + " " + std::to_string(a.size / a.element_size);
  if (a.where == space::texture)
    for (const std::uint64_t extent : a.extent) text += " " + std::to_string(extent);
  return text + "\n";
}

std::optional<std::size_t> block_trace::array_of_request(std::size_t request) const {
  const std::size_t first = requests_[request].first_access, end = request + 1 < requests_.size()
                                                                       ? requests_[request + 1].first_access
                                                                       : accesses_.size();
  if (first == end) return std::nullopt;
  return accesses_[first].array;
}

std::optional<block_trace::element> block_trace::element_at(space where, std::uint64_t address) const {
  for (std::size_t a = 0; a < arrays_.size(); ++a)
    if (arrays_[a].where == where && address - arrays_[a].begin < arrays_[a].size)
      return element{a, (address - arrays_[a].begin) / arrays_[a].element_size};
  return std::nullopt;
}

std::string block_trace::text(const std::string& more) const {
  std::string text;
  std::vector<bool> known(arrays_.size());
  const auto number = [](std::uint64_t value) { return " " + std::to_string(value); };
  const auto make_known = [&](std::size_t which) {
    if (known[which]) return;
    known[which] = true;
    text += text_of(which);
  };
  for (std::size_t r = 0; r < requests_.size(); ++r) {
    const request& each = requests_[r];
    const std::size_t end = r + 1 < requests_.size() ? requests_[r + 1].first_access : accesses_.size();
    const std::size_t last_sample =
        r + 1 < requests_.size() ? requests_[r + 1].first_sample : samples_.size();
    for (std::size_t i = each.first_sample; i < last_sample; ++i) make_known(samples_[i].array);
    for (std::size_t i = each.first_access; i < end; ++i) make_known(accesses_[i].array);
    text += "request" + number(r) + " interval" + number(static_cast<unsigned>(each.interval)) + " warp" +
            number(static_cast<unsigned>(each.warp)) + " " + name_of(each.kind) + " " + name_of(each.where) +
            " bytes" + number(each.size) + " parts" + number(each.parts) + " at " + place_of(each.pc).text() +
            "\n";
    for (std::size_t i = each.first_sample; i < last_sample; ++i) {
      char point[96];
      const auto& p = samples_[i].point;
      std::snprintf(point, sizeof point, " %.9g %.9g %.9g\n", p[0], p[1], p[2]);
      text += "sample" + number(r) + number(static_cast<unsigned>(samples_[i].thread)) +
              number(samples_[i].array) + point;
    }
    for (std::size_t i = each.first_access; i < end; ++i) {
      const array& a = arrays_[accesses_[i].array];
      const std::uint64_t begin = a.where == space::texture ? 0 : a.begin;
      text += "access" + number(r) + number(static_cast<unsigned>(accesses_[i].thread)) +
              number(accesses_[i].array) + number((accesses_[i].address - begin) / a.element_size) +
              number(accesses_[i].address) + "\n";
    }
  }
  return text + more + "end" + number(requests_.size()) + number(accesses_.size()) +
         (cut_ ? " cut\n" : " complete\n");
}

}  // namespace cuda_emulator

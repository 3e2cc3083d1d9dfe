// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "registered_ranges.hpp"

#include "address_ranges.hpp"

#include <cstdint>
#include <iterator>
#include <map>
#include <mutex>

namespace cuda_emulator {
namespace {

// Never destroyed: the search for what is left comes after all that is.
std::mutex& ranges_mutex = *new std::mutex;
std::map<std::uintptr_t, registered_range>& ranges = *new std::map<std::uintptr_t, registered_range>;

std::uintptr_t number(const void* address) { return reinterpret_cast<std::uintptr_t>(address); }

/// Called with the mutex held.
void show_addresses() {
  if (ranges.empty()) {
    registered_addresses.set(nullptr, 0);
  } else {
    const registered_range &first = ranges.begin()->second, &last = std::prev(ranges.end())->second;
    registered_addresses.set(first.begin, static_cast<std::size_t>(last.begin + last.size - first.begin));
  }
  tell_host_code();
}

}  // namespace

bool add_range(const registered_range& range) {
  const std::lock_guard lock(ranges_mutex);
  const std::uintptr_t begin = number(range.begin), end = begin + range.size;
  const auto after = ranges.lower_bound(begin);
  if (after != ranges.end() && after->first < end) return false;
  if (after != ranges.begin() && std::prev(after)->first + std::prev(after)->second.size > begin)
    return false;
  ranges.emplace(begin, range);
  show_addresses();
  return true;
}

bool remove_range(const void* begin) {
  const std::lock_guard lock(ranges_mutex);
  const bool found = ranges.erase(number(begin)) == 1;
  show_addresses();
  return found;
}

void forget_ranges() {
  const std::lock_guard lock(ranges_mutex);
  ranges.clear();
  show_addresses();
}

std::optional<registered_range> registered_at(const void* address) {
  const auto near = near_registered(address);
  if (!near || number(address) - number(near->begin) >= near->size) return std::nullopt;
  return near;
}

bool any_registered(const void* begin, std::size_t size) {
  const std::lock_guard lock(ranges_mutex);
  const std::uintptr_t first = number(begin);
  const auto behind = ranges.lower_bound(first + size);
  return behind != ranges.begin() && std::prev(behind)->first + std::prev(behind)->second.size > first;
}

std::optional<registered_range> near_registered(const void* address) {
  constexpr std::uintptr_t far = 4096;
  const std::lock_guard lock(ranges_mutex);
  const std::uintptr_t wanted = number(address);
  const auto after = ranges.upper_bound(wanted);
  if (after != ranges.begin()) {
    const auto& [begin, before] = *std::prev(after);
    if (wanted - begin < before.size + far) return before;
  }
  if (after != ranges.end() && after->first - wanted < far) return after->second;
  return std::nullopt;
}

std::vector<registered_range> ranges_left() {
  const std::lock_guard lock(ranges_mutex);
  std::vector<registered_range> all;
  for (const auto& [begin, range] : ranges) all.push_back(range);
  return all;
}

}  // namespace cuda_emulator

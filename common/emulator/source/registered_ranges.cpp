// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "registered_ranges.hpp"

#include <iterator>
#include <map>
#include <mutex>

namespace cuda_emulator {
namespace {
std::mutex mutex;
std::map<const char*, std::size_t> ranges;

std::map<const char*, std::size_t>::iterator holding(const char* address) {
  auto after = ranges.upper_bound(address);
  if (after == ranges.begin()) return ranges.end();
  const auto candidate = std::prev(after);
  return address < candidate->first + candidate->second ? candidate : ranges.end();
}
}  // namespace

bool add_range(void* begin, std::size_t size) {
  const std::lock_guard lock(mutex);
  if (holding(static_cast<char*>(begin)) != ranges.end()) return false;
  ranges[static_cast<char*>(begin)] = size;
  return true;
}

bool remove_range(void* begin) {
  const std::lock_guard lock(mutex);
  return ranges.erase(static_cast<char*>(begin)) == 1;
}

bool is_registered(const void* address) {
  const std::lock_guard lock(mutex);
  return holding(static_cast<const char*>(address)) != ranges.end();
}

}  // namespace cuda_emulator

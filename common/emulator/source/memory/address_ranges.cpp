// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "address_ranges.hpp"

#include <algorithm>

namespace cuda_emulator {

constinit address_range device_addresses, variable_addresses, host_addresses, registered_addresses;
std::uintptr_t first_of_memory = 0;
constinit thread_local used_variable used_managed, used_copy;

void tell_host_code() {
  std::uintptr_t bound = 0;
  const address_range* const all[] = {&device_addresses, &variable_addresses, &registered_addresses};
  std::atomic<std::uintptr_t>* shown = emulator_watched_ranges;
  for (const address_range* range : all) {
    if (range->size != 0) bound = std::max(bound, range->begin + range->size);
    *shown++ = range->begin.load();
    *shown++ = range->size.load();
  }
  emulator_bound = cuda_emulator_bound = bound;
}

}  // namespace cuda_emulator

extern "C" {
constinit std::atomic<std::uintptr_t> cuda_emulator_bound{0}, emulator_bound{0}, emulator_watched_ranges[6]{};
}

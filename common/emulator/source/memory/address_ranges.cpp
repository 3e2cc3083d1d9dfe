// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "address_ranges.hpp"

namespace cuda_emulator {

constinit address_range device_addresses, variable_addresses, host_addresses, registered_addresses;
std::uintptr_t first_of_memory = 0;

void tell_host_code() {
  cuda_emulator_watched[0] = device_addresses.begin.load();
  cuda_emulator_watched[1] = device_addresses.size.load();
  // What is registered may lie anywhere.
  const bool anywhere = registered_addresses.size != 0;
  cuda_emulator_watched[2] = anywhere ? 0 : variable_addresses.begin.load();
  cuda_emulator_watched[3] = anywhere ? ~std::uintptr_t{0} : variable_addresses.size.load();
}

}  // namespace cuda_emulator

extern "C" {
constinit std::atomic<std::uintptr_t> cuda_emulator_watched[4]{};
}

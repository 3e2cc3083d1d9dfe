// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "address_ranges.hpp"

namespace cuda_emulator {

constinit address_range device_addresses, variable_addresses, host_addresses, registered_addresses;
std::uintptr_t first_of_memory = 0;

}  // namespace cuda_emulator

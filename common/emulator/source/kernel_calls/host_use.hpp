// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Host code of kernel files that uses memory of the device. Here it would work, because that is memory of
// the same process; on a GPU the program ends there, or the host uses its own variable of that name.
#pragma once

#include <cstddef>
#include <cstdint>

#include "memory/address_ranges.hpp"
#include "watch/sites.hpp"

namespace cuda_emulator {

/// An access by `function` (null: by the code itself), where one of the ranges has the address.
void look_at_host_use(const void* address, std::size_t size, access_kind kind, std::uint64_t pc,
                      const char* function);

/// The access that is looked at is volatile or atomic.
extern thread_local bool is_flag __attribute__((tls_model("initial-exec")));

/// Called for every access outside of kernels. `function` is that of the C library that does it.
inline void host_uses(const volatile void* address, std::size_t size, access_kind kind, std::uint64_t pc,
                      const char* function = nullptr) {
  const auto number = reinterpret_cast<std::uintptr_t>(address);
  if (device_addresses.contains(number) ||
      (variable_addresses.contains(number) && !host_addresses.contains(number)) ||
      registered_addresses.meets(number, size)) [[unlikely]]
    look_at_host_use(const_cast<const void*>(address), size, kind, pc, function);
}
/// The same of one that is volatile or atomic: the program may wait for work of the device by it.
inline void host_uses_flag(const volatile void* address, std::size_t size, access_kind kind,
                           std::uint64_t pc) {
  is_flag = true;
  host_uses(address, size, kind, pc);
  is_flag = false;
}

}  // namespace cuda_emulator

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// Host code of kernel files that uses memory of the device. Here it would work, because that is memory of the same
/// process; on a GPU the program ends there, or the host uses its own variable of that name.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "shadow.hpp"
#include "sites.hpp"

namespace cuda_emulator {

/// Addresses that are looked at, in a row. Without any until somebody says so.
struct address_range {
  std::atomic<std::uintptr_t> begin{0}, size{0};
  void set(const void* from, std::size_t bytes) {
    size.store(0, std::memory_order_relaxed);
    begin.store(reinterpret_cast<std::uintptr_t>(from), std::memory_order_relaxed);
    size.store(bytes, std::memory_order_relaxed);
  }
  bool contains(std::uintptr_t address) const {
    return address - begin.load(std::memory_order_relaxed) < size.load(std::memory_order_relaxed);
  }
};
/// The shared memory of all workers, and behind it the memory of the device.
extern address_range device_addresses;
/// Where the memory of the device begins; its states say the rest.
extern std::uintptr_t first_of_memory;
/// From the first variable of the device to the last, with what the host has between them.
extern address_range variable_addresses;
/// Some of the host's among them, where it was last.
extern address_range host_addresses;

/// An access by `function` (null: by the code itself), where one of the ranges has the address.
void look_at_touch(const void* address, std::size_t size, access_kind kind, std::uint64_t pc,
                   const char* function);

/// Called for every access outside of kernels. `function` is that of the C library that does it.
inline void touch(const volatile void* address, std::size_t size, access_kind kind, std::uint64_t pc,
                  const char* function = nullptr) {
  const auto number = reinterpret_cast<std::uintptr_t>(address);
  if (device_addresses.contains(number) ||
      (variable_addresses.contains(number) && !host_addresses.contains(number))) [[unlikely]]
    look_at_touch(const_cast<const void*>(address), size, kind, pc, function);
}

/// What was found meanwhile and has not been thrown, where findings are thrown: now.
void throw_touches();
void forget_touches();

}  // namespace cuda_emulator

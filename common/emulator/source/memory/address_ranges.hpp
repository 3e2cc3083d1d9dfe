// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// Where memory of the device and its variables lie, for whoever looks at every access.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "emulator/export.hpp"

namespace cuda_emulator {

/// Addresses in a row. Without any until somebody says so.
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
/// From the first byte of the host's that is registered to the last.
extern address_range registered_addresses;

/// Called after a change of any of them.
void tell_host_code();

}  // namespace cuda_emulator

/// The two ranges outside of which host code need not ask, each with its first address and its size: the
/// device's memory, and all else. Compiled host code reads this (see translator/quicken.hpp).
extern "C" EMULATOR_API std::atomic<std::uintptr_t> cuda_emulator_watched[4];

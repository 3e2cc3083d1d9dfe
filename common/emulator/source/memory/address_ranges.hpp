// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Where memory of the device and its variables lie, for whoever looks at every access.
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
  /// Does one of these bytes lie between the first and the last?
  bool meets(std::uintptr_t address, std::size_t bytes) const {
    return contains(address) || (size.load(std::memory_order_relaxed) != 0 &&
                                 begin.load(std::memory_order_relaxed) - address < bytes);
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

/// A variable that this thread's host code has used, and may use again.
struct used_variable {
  std::uintptr_t begin = 0;
  std::size_t size = 0;
  void set(const void* from, std::size_t bytes) {
    begin = reinterpret_cast<std::uintptr_t>(from);
    size = bytes;
  }
  bool contains(std::uintptr_t address) const { return address - begin < size; }
};
/// A managed one, and one of which the host has a copy that it may read.
extern constinit thread_local used_variable used_managed,
    used_copy __attribute__((tls_model("initial-exec")));

/// Called after a change of any of them.
void tell_host_code();

}  // namespace cuda_emulator

/// All memory of the device, all its variables and all that is registered lie below this address: host code
/// need not ask about what lies above. Compiled host code reads this (see translator/needless_calls.hpp).
extern "C" EMULATOR_API std::atomic<std::uintptr_t> cuda_emulator_bound;
/// The same for this library's own code: a program may have its own copy of what it names.
extern "C" std::atomic<std::uintptr_t> emulator_bound;
/// The three ranges, each with its first address and its size, for kernel_calls/host_access.cpp.
extern "C" std::atomic<std::uintptr_t> emulator_watched_ranges[6];

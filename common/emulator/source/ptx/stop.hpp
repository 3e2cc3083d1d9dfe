// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "emulator/threads/ptx.hpp"
#include "run/worker.hpp"

namespace cuda_emulator::ptx {

/// The worker of the kernel that runs; outside of kernels the program ends.
worker& running();

/// Ends the launch with a finding at `pc`: what the thread does cannot be done.
[[noreturn]] void stop(const char* why, const char* cause, const void* pc);

/// A place in the code, as findings name it.
inline std::uint64_t number(const void* pc) { return reinterpret_cast<std::uint64_t>(pc); }

/// The pointer that an address of that space means; stops a thread whose address means none.
void* located(space where, std::uint64_t address, const void* pc);

/// Tells the observer of an access, as if the kernel had made it at `pc`.
void observe(const void* address, unsigned size, access_kind kind, const void* pc, bool is_strong = false);

}  // namespace cuda_emulator::ptx

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Flags in memory, by which kernels of several devices wait for each other. Who looks at one, and acquires,
// comes after what others had done when they released it: at an address that is what counts, whatever the
// value is.
#pragma once

#include <cstdint>

namespace cuda_emulator {

struct operation;

/// The operation releases what it comes after, and its accesses so far: others may see that at `address`.
/// The number for touch_mark::released.
unsigned release_by_flag(const operation& op, const volatile void* address);
/// The operation has looked at `address`, and acquires. The number for touch_mark::heard; 0 where nobody has
/// released anything there.
unsigned hear_of_flag(const operation& op, const volatile void* address);
/// How often anything was released; 0: there are no flags.
std::uint64_t flag_changes();

}  // namespace cuda_emulator

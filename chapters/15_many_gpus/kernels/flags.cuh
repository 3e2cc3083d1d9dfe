// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// How kernels of several devices wait for each other.
#pragma once

#include "15_many_gpus/host/part_flags.hpp"

namespace tutorial {

// [flags]
/// Returns when the flag is at `value` or above. Then what was written before it was raised is visible to
/// this thread ("acquire") and, after a barrier, to its block. "sys": whichever device wrote it.
__device__ inline void wait_for_flag(const flag_counter* flag, flag_counter value) {
  flag_counter now = 0;
  do {
    asm volatile("ld.acquire.sys.global.u64 %0, [%1];" : "=l"(now) : "l"(flag) : "memory");
  } while (now < value);
}

/// Adds to the flag, after all that this thread has written, or has seen written before a barrier
/// ("release").
__device__ inline void raise_flag(flag_counter* flag, flag_counter by) {
  asm volatile("red.release.sys.global.add.u64 [%0], %1;" : : "l"(flag), "l"(by) : "memory");
}
// [flags]

}  // namespace tutorial

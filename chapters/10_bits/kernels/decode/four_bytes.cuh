// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// Numbers to bytes.
#pragma once

#include <cuda_runtime.h>

namespace tutorial {

/// Four numbers clamped to 0..255, the first in the lowest byte.
__device__ __forceinline__ unsigned four_bytes(int a, int b, int c, int d) {
#if defined(__CUDA_ARCH__) && !defined(EMULATED_CUDA)  // an instruction that has no name in C++
  unsigned upper, all;
  asm("cvt.pack.sat.u8.s32.b32 %0, %1, %2, 0;" : "=r"(upper) : "r"(d), "r"(c));
  asm("cvt.pack.sat.u8.s32.b32 %0, %1, %2, %3;" : "=r"(all) : "r"(b), "r"(a), "r"(upper));
  return all;
#else
  const auto byte = [](int value) { return unsigned(min(max(value, 0), 255)); };
  return byte(a) | byte(b) << 8 | byte(c) << 16 | byte(d) << 24;
#endif
}

}  // namespace tutorial

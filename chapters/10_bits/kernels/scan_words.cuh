// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// The bytes of a scan, 16 or 4 at a time. A scan is a part of a file, and can begin at any address.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace tutorial {

/// How far its address is behind a multiple of 16.
__host__ __device__ inline int bytes_before(const std::uint8_t* scan) {
  return int(reinterpret_cast<std::uintptr_t>(scan) % 16);
}

/// The 16 bytes from scan[at] on, whose address is a multiple of 16. Those outside of the scan are 0, and are
/// not read.
__device__ inline uint4 word_of_scan(const std::uint8_t* scan, int size, int at) {
  if (at >= 0 && at + 16 <= size) return *reinterpret_cast<const uint4*>(scan + at);
  unsigned parts[4] = {0, 0, 0, 0};
#pragma unroll
  for (int i = 0; i < 16; ++i)
    if (at + i >= 0 && at + i < size) parts[i / 4] |= unsigned(scan[at + i]) << (8 * (i % 4));
  return make_uint4(parts[0], parts[1], parts[2], parts[3]);
}

/// The four bytes from scan[at] on, the first one lowest; the address is a multiple of 4. Likewise.
__device__ inline std::uint32_t four_of_scan(const std::uint8_t* scan, int size, int at) {
  if (at >= 0 && at + 4 <= size) return *reinterpret_cast<const std::uint32_t*>(scan + at);
  std::uint32_t word = 0;
#pragma unroll 1
  for (int i = 0; i < 4; ++i)
    if (at + i >= 0 && at + i < size) word |= std::uint32_t(scan[at + i]) << (8 * i);
  return word;
}

}  // namespace tutorial

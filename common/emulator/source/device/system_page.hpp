// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What the system protects and takes back memory by: 4 KiB on x86-64, and 4, 16 or 64 KiB on arm64.
#pragma once

#include <unistd.h>

#include <cstddef>

namespace cuda_emulator {

inline std::size_t system_page() {
  static const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGE_SIZE));
  return bytes;
}
constexpr std::size_t largest_page = 64 << 10;

}  // namespace cuda_emulator

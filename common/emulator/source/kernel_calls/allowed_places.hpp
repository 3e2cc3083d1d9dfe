// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Places of the program outside of kernels that may use memory of the device: Thrust's. Asked for at every
// such access.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace cuda_emulator {

/// Return addresses, each where its bits say or behind. Never emptied; when it is half full, no place is
/// refused any more.
constexpr std::size_t most_places = 1 << 15;
extern std::atomic<std::uint64_t> allowed_places[most_places];
extern std::atomic<std::size_t> allowed_count;

inline std::size_t first_slot(std::uint64_t pc) { return pc * 0x9e3779b97f4a7c15ull >> 49; }
static_assert(most_places == std::size_t{1} << (64 - 49));

inline bool is_allowed(std::uint64_t pc) {
  for (std::size_t i = first_slot(pc);; i = (i + 1) % most_places) {
    const std::uint64_t known = allowed_places[i].load(std::memory_order_relaxed);
    if (known == pc) return true;
    if (known == 0) return allowed_count.load(std::memory_order_relaxed) >= most_places / 2;
  }
}

}  // namespace cuda_emulator

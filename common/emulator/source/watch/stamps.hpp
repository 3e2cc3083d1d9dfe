// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Who accessed a word, in 64 bits: when (38), which thread of its block (10), whether by an ordinary read
// (1), at which site (15). "When" is a count that each worker keeps for itself, with the worker's number in
// its upper bits: it grows with every block, with every barrier and with every meeting of a warp. What comes
// between two accesses can be read off it.
#pragma once

#include <cstdint>

namespace cuda_emulator {

struct stamp {
  std::uint64_t bits;

  static constexpr int time_bits = 34;
  stamp(std::uint64_t bits) : bits(bits) {}
  stamp(unsigned worker, std::uint64_t time, int thread, bool plain_read, std::uint16_t site)
      : bits((std::uint64_t{worker} << time_bits | time) << 26 | static_cast<std::uint64_t>(thread) << 16 |
             static_cast<std::uint64_t>(plain_read) << 15 | site) {}

  bool empty() const { return bits == 0; }
  std::uint16_t site() const { return static_cast<std::uint16_t>(bits & 0x7fff); }
  bool plain_read() const { return (bits >> 15 & 1) != 0; }
  int thread() const { return static_cast<int>(bits >> 16 & 1023); }
  std::uint64_t time() const { return bits >> 26 & ((std::uint64_t{1} << time_bits) - 1); }
  unsigned worker() const { return static_cast<unsigned>(bits >> (26 + time_bits)); }
};

}  // namespace cuda_emulator

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The places in kernels that access memory, each under a number of 15 bits: small enough to be kept for
// every word of memory.
#pragma once

#include <atomic>
#include <bit>
#include <cstdint>

namespace cuda_emulator {

/// `swap` is atomicCAS(): the loop around it begins with an ordinary read, which is right since the swap
/// notices. `fetch` reads through a texture. `landing` is the write of an asynchronous copy
/// for the thread that waits for it; `delivery` and `collection` are the write and the read of one that a
/// barrier in shared memory completes: they are of no thread's time.
enum class access_kind : std::uint8_t { read, write, atomic, swap, fetch, landing, delivery, collection };

/// Reads that harm nobody else's.
constexpr bool only_reads(access_kind kind) {
  return kind == access_kind::read || kind == access_kind::fetch || kind == access_kind::collection;
}
/// Writes that others cannot share, as they can atomics.
constexpr bool plainly_writes(access_kind kind) {
  return kind == access_kind::write || kind == access_kind::landing || kind == access_kind::delivery;
}
constexpr bool is_copy(access_kind kind) {
  return kind == access_kind::landing || kind == access_kind::delivery || kind == access_kind::collection;
}
constexpr bool is_of_barrier(access_kind kind) {
  return kind == access_kind::delivery || kind == access_kind::collection;
}

/// Where (return address), what, how much; `unit` tells the parts of an access apart that is done in several.
struct site {
  std::uint64_t pc;
  access_kind kind;
  unsigned size;
  unsigned unit;
  bool is_volatile = false;
};

class site_table {
 public:
  static constexpr unsigned capacity = 1 << 15;
  static constexpr std::uint16_t unknown = 0;

  /// The number of a site; `unknown` once the table is full. Any thread may ask at any time.
  [[gnu::always_inline]] std::uint16_t number(const site& s) {
    const std::uint64_t key = s.pc | std::uint64_t{s.unit & 63} << 48 |
                              static_cast<std::uint64_t>(std::countr_zero(s.size)) << 54 |
                              static_cast<std::uint64_t>(s.kind) << 58 | std::uint64_t{s.is_volatile} << 61;
    const std::uint64_t hash = key * 0x9e3779b97f4a7c15ull;
    const auto first = static_cast<std::uint16_t>(hash >> 49);
    if (keys_[first].load(std::memory_order_relaxed) == key) [[likely]]
      return first;
    return search(key, hash);
  }

  site at(std::uint16_t number) const {
    const std::uint64_t key = keys_[number].load(std::memory_order_relaxed);
    return {key & 0xffff'ffff'ffffull, static_cast<access_kind>(key >> 58 & 7), 1u << (key >> 54 & 15),
            static_cast<unsigned>(key >> 48 & 63), (key >> 61 & 1) != 0};
  }
  access_kind kind(std::uint16_t number) const {
    return static_cast<access_kind>(keys_[number].load(std::memory_order_relaxed) >> 58 & 7);
  }
  bool is_volatile(std::uint16_t number) const {
    return (keys_[number].load(std::memory_order_relaxed) >> 61 & 1) != 0;
  }

 private:
  [[gnu::noinline]] std::uint16_t search(std::uint64_t key, std::uint64_t hash) {
    for (unsigned i = 0; i < 64; ++i) {
      const auto at = static_cast<std::uint16_t>(((hash >> 49) + i) % capacity);
      if (at == unknown) continue;
      std::uint64_t seen = keys_[at].load(std::memory_order_relaxed);
      if (seen == key) return at;
      if (seen == 0 && keys_[at].compare_exchange_strong(seen, key, std::memory_order_relaxed)) return at;
      if (seen == key) return at;
    }
    return unknown;
  }

  std::atomic<std::uint64_t> keys_[capacity] = {};
};

inline constinit site_table sites;

}  // namespace cuda_emulator

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Which bytes one worker has read, written or changed atomically in a launch: a bit for each byte, in pages.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <unordered_map>

namespace cuda_emulator {

enum class touch_kind : std::uint8_t { read, write, atomic };

constexpr std::size_t bytes_per_page = 4096;

/// An access, and how it stands to flags by which kernels of several devices wait for each other. What a
/// kernel hears and releases by flags is numbered from 1 on; what comes late has the last number.
struct touch_mark {
  static constexpr unsigned last = 63;
  touch_kind kind;
  std::uint8_t heard = 0;     ///< What its block had heard before; 0: nothing.
  std::uint8_t released = 0;  ///< By what its block released it first: who hears of that comes after it.

  bool operator==(const touch_mark&) const = default;
};

/// Some bytes of a page.
struct byte_set {
  std::array<std::uint64_t, bytes_per_page / 64> words{};

  /// The bytes [begin, end) of the page.
  void add(std::size_t begin, std::size_t end);
};

class touched_pages {
 public:
  /// At most 64 bytes.
  void add(std::uintptr_t address, unsigned size, const touch_mark& how) {
    const std::uint64_t key = address / bytes_per_page * marks + number_of(how);
    recent_page& recent = recent_[key * 0x9e3779b97f4a7c15ull >> 58];
    if (recent.key != key) [[unlikely]]
      look_up(recent, key);
    const std::size_t offset = address % bytes_per_page, shift = offset % 64;
    recent.bytes->words[offset / 64] |= (size == 64 ? ~0ull : (1ull << size) - 1) << shift;
    if (shift + size > 64) [[unlikely]]
      add(address + 64 - shift, static_cast<unsigned>(shift + size - 64), how);
  }

  bool empty() const { return pages_.empty(); }
  /// Calls each(number of the page, touch_mark, bytes).
  template <class Each>
  void for_each(Each&& each) const {
    for (const auto& [key, bytes] : pages_)
      each(key / marks,
           touch_mark{static_cast<touch_kind>(key % 4), static_cast<std::uint8_t>(key / 4 % 64),
                      static_cast<std::uint8_t>(key / 256 % 64)},
           *bytes);
  }
  /// Adds all that `other` has, which is not released, and empty then; now it is released by this.
  void take(touched_pages& other, unsigned released);

 private:
  static constexpr std::uint64_t marks = 4 * 64 * 64;
  struct recent_page {
    std::uint64_t key = ~0ull;
    byte_set* bytes = nullptr;
  };
  static std::uint64_t number_of(const touch_mark& how) {
    return static_cast<std::uint64_t>(how.kind) + how.heard * 4u + how.released * 256u;
  }
  void look_up(recent_page& recent, std::uint64_t key);

  recent_page recent_[64];
  std::unordered_map<std::uint64_t, byte_set*> pages_;
  std::deque<byte_set> sets_;
};

}  // namespace cuda_emulator

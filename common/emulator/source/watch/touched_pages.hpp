// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// Which bytes one worker has read, written or changed atomically in a launch: a bit for each byte, in pages.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <unordered_map>

namespace cuda_emulator {

enum class touch_kind : std::uint8_t { read, write, atomic };

constexpr std::size_t bytes_per_page = 4096;

/// Some bytes of a page.
struct byte_set {
  std::array<std::uint64_t, bytes_per_page / 64> words{};

  /// The bytes [begin, end) of the page.
  void add(std::size_t begin, std::size_t end);
};

class touched_pages {
 public:
  /// At most 64 bytes.
  void add(std::uintptr_t address, unsigned size, touch_kind kind) {
    const std::uint64_t key = address / bytes_per_page * 4 + static_cast<std::uint64_t>(kind);
    recent_page& recent = recent_[key * 0x9e3779b97f4a7c15ull >> 58];
    if (recent.key != key) [[unlikely]]
      look_up(recent, key);
    const std::size_t offset = address % bytes_per_page, shift = offset % 64;
    recent.bytes->words[offset / 64] |= (size == 64 ? ~0ull : (1ull << size) - 1) << shift;
    if (shift + size > 64) [[unlikely]]
      add(address + 64 - shift, static_cast<unsigned>(shift + size - 64), kind);
  }

  bool empty() const { return pages_.empty(); }
  /// Calls each(number of the page, kind, bytes).
  template <class Each>
  void for_each(Each&& each) const {
    for (const auto& [key, bytes] : pages_) each(key / 4, static_cast<touch_kind>(key % 4), *bytes);
  }

 private:
  struct recent_page {
    std::uint64_t key = ~0ull;
    byte_set* bytes = nullptr;
  };
  void look_up(recent_page& recent, std::uint64_t key);

  recent_page recent_[64];
  std::unordered_map<std::uint64_t, byte_set*> pages_;
  std::deque<byte_set> sets_;
};

}  // namespace cuda_emulator

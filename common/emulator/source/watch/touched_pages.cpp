// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "touched_pages.hpp"

#include <algorithm>

namespace cuda_emulator {

void byte_set::add(std::size_t begin, std::size_t end) {
  while (begin < end) {
    const std::size_t shift = begin % 64, count = std::min(64 - shift, end - begin);
    words[begin / 64] |= (count == 64 ? ~0ull : (1ull << count) - 1) << shift;
    begin += count;
  }
}

void touched_pages::look_up(recent_page& recent, std::uint64_t key) {
  byte_set*& bytes = pages_[key];
  if (bytes == nullptr) bytes = &sets_.emplace_back();
  recent = {key, bytes};
}

void touched_pages::take(touched_pages& other, unsigned released) {
  if (other.empty()) return;
  for (const auto& [key, bytes] : other.pages_) {
    byte_set*& mine = pages_[key + released * 256];
    if (mine == nullptr) mine = &sets_.emplace_back();
    for (std::size_t w = 0; w < bytes->words.size(); ++w) mine->words[w] |= bytes->words[w];
  }
  other.pages_.clear();
  other.sets_.clear();
  for (recent_page& each : other.recent_) each = {};
}

}  // namespace cuda_emulator

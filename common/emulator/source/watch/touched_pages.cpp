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

}  // namespace cuda_emulator

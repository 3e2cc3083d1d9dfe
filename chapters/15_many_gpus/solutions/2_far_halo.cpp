// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Exercise 2: a halo that is longer than the part next door.
#include <algorithm>

#include "far_halo.hpp"

namespace tutorial {

std::vector<piece_of_halo> left_halo(const std::vector<std::size_t>& first, std::size_t p,
                                     std::size_t reach) {
  std::vector<piece_of_halo> pieces;
  const std::size_t begin = first[p];
  if (first[p] == first[p + 1]) return pieces;
  // SOLUTION: a piece from each part that owns some of it (about 6 lines)
  // STARTER: if (p > 0) pieces.push_back({p - 1, begin - reach, begin});
  const std::size_t from = begin - std::min(begin, reach);
  for (std::size_t q = 0; q < p; ++q) {
    const std::size_t piece_begin = std::max(from, first[q]), piece_end = std::min(begin, first[q + 1]);
    if (piece_begin < piece_end) pieces.push_back({q, piece_begin, piece_end});
  }
  // END SOLUTION
  return pieces;
}

}  // namespace tutorial

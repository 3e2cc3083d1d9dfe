// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// A tie over which programs that are all correct disagree.
#pragma once

#include <array>
#include <cstdint>

#include "09_dct_compression/host/ties.hpp"

namespace tutorial {

/// A block with a tie over which programs that are all correct disagree.
struct tie_example {
  std::array<std::uint8_t, 64> pixels = {};
  int v = 0, u = 0;  ///< The coefficient.
  int step = 1;
  cosine_sum exact = {};
  std::int64_t twice_the_ratio = 0;  ///< 2 * coefficient / step, odd.
  int level = 0;                     ///< The definition's: halves away from zero.

  /// One way of calculating it: the order and precision of the operations, coefficient / step as it comes out
  /// (every digit), and the level.
  struct way {
    const char* name = "";
    double ratio = 0;
    int level = 0;
  };
  std::array<way, 4> ways = {};
};

/// The first block of random pixels of `seed` with such a tie, by a search. Throws std::runtime_error if
/// 1,000,000 blocks have none.
tie_example find_tie(const quantization_table& steps, std::uint64_t seed = 1);

}  // namespace tutorial

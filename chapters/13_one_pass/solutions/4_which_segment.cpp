// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Exercise 4: which segment length for which filter?
#include "which_segment.hpp"

#include <cmath>

namespace tutorial {

segment_costs costs_of_segments(std::size_t length, std::size_t taps) {
  const double size = double(length), outputs = size - double(taps) + 1;
  // SOLUTION: operations and bytes for each output, and bytes of shared memory (about 3 lines)
  // STARTER: return {size / outputs, 8, 8 * length};
  const double operations = size * (10 * std::log2(size) + 6) / (2 * outputs);
  const double bytes = 4 * size / outputs + 4;
  return {operations, bytes, 8 * (length + length / 16)};
  // END SOLUTION
}

std::size_t best_segment(std::size_t taps, std::size_t shared) {
  std::size_t best = 0;
  // SOLUTION: the cheapest of those that are as long as the filter or longer, and fit (about 6 lines)
  // STARTER: if (taps < shared) best = 256;
  double least = INFINITY;
  for (std::size_t length = 256; costs_of_segments(length, 1).shared <= shared; length *= 2) {
    if (length < taps) continue;
    const double operations = costs_of_segments(length, taps).operations;
    if (operations < least) least = operations, best = length;
  }
  // END SOLUTION
  return best;
}

}  // namespace tutorial

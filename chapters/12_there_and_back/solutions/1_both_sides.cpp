// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Exercise 1: the history of a chunk, and its future.
#include <algorithm>
#include <cstdint>

#include "both_sides.hpp"

namespace tutorial {

piece piece_for(std::size_t first_output, std::size_t outputs, std::size_t samples, std::size_t radius) {
  piece p;
  // SOLUTION: where the piece begins and ends, and what of it exists (about 7 lines)
  // STARTER: (void)radius;
  // STARTER: (void)samples;
  // STARTER: p.first_sample = first_output;
  // STARTER: p.samples = outputs;
  const auto begin = std::int64_t(first_output) - std::int64_t(radius);
  const auto end = std::int64_t(first_output + outputs + radius);
  const std::int64_t from = std::max<std::int64_t>(begin, 0), to = std::min(end, std::int64_t(samples));
  p.ghosts_before = std::size_t(from - begin);
  p.first_sample = std::size_t(from);
  p.samples = std::size_t(to - from);
  p.ghosts_behind = std::size_t(end - to);
  // END SOLUTION
  return p;
}

}  // namespace tutorial

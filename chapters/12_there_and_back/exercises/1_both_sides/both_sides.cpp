// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Exercise 1: the history of a chunk, and its future.
#include <algorithm>
#include <cstdint>

#include "both_sides.hpp"

namespace tutorial {

piece piece_for(std::size_t first_output, std::size_t outputs, std::size_t samples, std::size_t radius) {
  piece p;
  // TODO: where the piece begins and ends, and what of it exists (about 7 lines)
  (void)radius;
  (void)samples;
  p.first_sample = first_output;
  p.samples = outputs;
  return p;
}

}  // namespace tutorial

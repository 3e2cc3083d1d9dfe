// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Exercise 1: parts of a signal whose length is no multiple of their number.
#include "uneven_parts.hpp"

namespace tutorial {

owned_samples samples_of(std::size_t samples, std::size_t parts, std::size_t p) {
  // SOLUTION: who owns the samples that are left over? (about 2 lines)
  // STARTER: const std::size_t each = samples / parts;
  // STARTER: return {p * each, (p + 1) * each};
  return {p * samples / parts, (p + 1) * samples / parts};
  // END SOLUTION
}

}  // namespace tutorial

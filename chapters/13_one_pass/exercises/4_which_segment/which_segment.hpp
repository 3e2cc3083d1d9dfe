// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace tutorial {

/// What one pass costs with segments of L floats and K taps, L > K - 1. A segment gives L - K + 1 outputs.
/// Two segments share one complex transform: 5 L log2 L operations there and as many back, and 6 L for the
/// product.
struct segment_costs {
  double operations = 0;   ///< For each output.
  double bytes = 0;        ///< For each output: the samples that it reads, and itself. 4 bytes each.
  std::size_t shared = 0;  ///< Bytes of shared memory: 8 for each number, and one place in 17 left free.
};
/// Of segments of `length` samples, length >= taps >= 1.
segment_costs costs_of_segments(std::size_t length, std::size_t taps);

/// The power of two, from 256 on, with the fewest operations for each output among those whose numbers fit
/// into `shared` bytes; the shorter one of two that are equal. 0 where none fits that is as long as the
/// filter or longer.
std::size_t best_segment(std::size_t taps, std::size_t shared);

}  // namespace tutorial

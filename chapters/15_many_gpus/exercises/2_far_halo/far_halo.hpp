// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

namespace tutorial {

/// Samples [begin, end) that part `from` owns.
struct piece_of_halo {
  std::size_t from = 0, begin = 0, end = 0;
};

/// What part p needs on its left for a filter that reaches `reach` samples to the left: the samples
/// [begin - reach, begin) of the signal, as far as there are such samples, where begin is the first one that
/// it owns. Part q owns [first[q], first[q + 1]), and may own nothing; first has an element more than there
/// are parts. One piece for each part that owns some of them, none of them empty, in the order of the parts.
/// A part that owns nothing needs nothing.
std::vector<piece_of_halo> left_halo(const std::vector<std::size_t>& first, std::size_t p, std::size_t reach);

}  // namespace tutorial

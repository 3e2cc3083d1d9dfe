// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// A loop over many elements, on all cores of the host.
#pragma once

#include <cstddef>
#include <functional>
#include <numeric>
#include <vector>

namespace tutorial {

/// How many parts in_parts() makes of so many elements: 1 for few, else one for each core.
std::size_t part_count(std::size_t elements);

/// Calls work(part, begin, end) for each part of the elements 0 ... elements - 1, in threads of their own
/// where there is more than one. Parts are numbered in the order of their elements. A work must not throw.
void in_parts(std::size_t elements,
              const std::function<void(std::size_t part, std::size_t begin, std::size_t end)>& work);

/// The sum of term(0) ... term(elements - 1), added in an order that depends on the number of cores.
template <class Term>
double sum_in_parts(std::size_t elements, const Term& term) {
  std::vector<double> sums(part_count(elements));
  in_parts(elements, [&](std::size_t part, std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i) sum += term(i);
    sums[part] = sum;
  });
  return std::accumulate(sums.begin(), sums.end(), 0.0);
}

}  // namespace tutorial

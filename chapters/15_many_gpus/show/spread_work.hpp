// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// A signal, a filter, and what some steps should make of it.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "15_many_gpus/host/part_filter.hpp"
#include "15_many_gpus/host/split.hpp"
#include "common/verify/compare.hpp"

namespace tutorial {

/// A random signal, and random taps whose magnitudes add up to 1: steps neither grow nor die out.
class spread_work {
 public:
  /// For results after `steps` steps.
  spread_work(std::size_t samples, std::size_t taps, int steps);

  /// Compares a result with the definition: all of it where that takes no long time, else what is near the
  /// seams of the split and the ends of the signal. The bound of a step is that of the kernel (a dot product,
  /// or chapter 07's for transforms) and what the step before may be off, times the sum of the taps'
  /// magnitudes. Who filters by transforms of another length says so.
  agreement verify(std::span<const float> result, const signal_split& split,
                   std::size_t other_transform = 0) const;

  const std::vector<float> x, h;
  const int steps;

 private:
  agreement verify(std::span<const float> result, const sample_range& where,
                   const part_transform& transform) const;
  /// What the outputs in a range are, and what each may be off.
  struct expectation {
    sample_range where;
    part_transform transform;
    std::vector<float> values;
    std::vector<double> bound;
  };
  expectation expect(const sample_range& where, const part_transform& transform) const;

  mutable expectation whole_;  ///< Of the whole signal: many versions are compared with it.
};

}  // namespace tutorial

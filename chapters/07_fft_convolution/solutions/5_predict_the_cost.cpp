// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Exercise 5: what will it cost? Operations, bytes and kernels of each method, before anything runs.

#include "predict_the_cost.hpp"

#include <algorithm>
#include <cmath>

namespace tutorial {

method_work work_of_sums(double samples, double taps) {
  const double outputs = samples + taps - 1;
  // SOLUTION: operations, bytes, kernels (about 1 line)
  // STARTER: return {outputs, 0, 1};
  return {2 * taps * outputs, 4 * (samples + outputs), 1};
  // END SOLUTION
}

method_work work_of_transforms(double samples, double taps, std::size_t length) {
  const double outputs = samples + taps - 1, size = double(length);
  // SOLUTION: how many blocks; then operations, bytes and kernels of all of them (about 4 lines)
  // STARTER: return {outputs * size, 4 * outputs, 1};
  const double blocks = size >= outputs ? 1 : std::ceil(outputs / (size - taps + 1)),
               there_and_back = 2 * passes(length);
  const double operations = blocks * (5 * size * std::log2(size) + 5 * size);
  const double bytes = blocks * size * 8 * (there_and_back + 1) + 8 * outputs;
  return {operations, bytes, there_and_back + 2};
  // END SOLUTION
}

double seconds(const method_work& work, const device_rates& device) {
  // SOLUTION: the time of a method (about 2 lines)
  // STARTER: return work.operations / device.operations_per_second;
  const double arithmetic = work.operations / device.operations_per_second;
  const double memory = work.bytes / device.bytes_per_second;
  return work.kernels * device.seconds_per_kernel + std::max(arithmetic, memory);
  // END SOLUTION
}

}  // namespace tutorial

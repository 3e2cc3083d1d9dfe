// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Exercise 5: what will it cost? Operations, bytes and kernels of each method, before anything runs.

#include "predict_the_cost.hpp"

#include <algorithm>
#include <cmath>

namespace tutorial {

method_work work_of_sums(double samples, double taps) {
  const double outputs = samples + taps - 1;
  // TODO: operations, bytes, kernels (about 1 line)
  return {outputs, 0, 1};
}

method_work work_of_transforms(double samples, double taps, std::size_t length) {
  const double outputs = samples + taps - 1, size = double(length);
  // TODO: how many blocks; then operations, bytes and kernels of all of them (about 4 lines)
  return {outputs * size, 4 * outputs, 1};
}

double seconds(const method_work& work, const device_rates& device) {
  // TODO: the time of a method (about 2 lines)
  return work.operations / device.operations_per_second;
}

}  // namespace tutorial

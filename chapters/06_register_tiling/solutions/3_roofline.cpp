// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Exercise 3: which roof is above a convolution? The functions get
//     full_convolution{samples, taps, element_bytes} and
//     device_limits{bytes_per_second, operations_per_second}; a multiply-add is two operations.

#include "roofline.hpp"

#include <algorithm>

namespace tutorial {

double operations_per_byte(const full_convolution& work) {
  // SOLUTION: two operations per product; inputs are read once, outputs written once (about 4 lines)
  // STARTER: return work.element_bytes;  // what is counted, and what moves?
  const double operations = 2 * work.samples * work.taps;
  const double outputs = work.samples + work.taps - 1;
  return operations / ((work.samples + work.taps + outputs) * work.element_bytes);
  // END SOLUTION
}

double roof(const full_convolution& work, const device_limits& device) {
  // SOLUTION: what memory allows, or what arithmetic allows (about 2 lines)
  // STARTER: return device.bytes_per_second + operations_per_byte(work);
  return std::min(device.operations_per_second, operations_per_byte(work) * device.bytes_per_second);
  // END SOLUTION
}

int first_taps_bound_by_arithmetic(double samples, double element_bytes, const device_limits& device) {
  // SOLUTION: try one number of taps after the other (about 3 lines)
  // STARTER: return int(samples / element_bytes / device.bytes_per_second);
  int taps = 1;
  while (roof({samples, double(taps), element_bytes}, device) < device.operations_per_second) ++taps;
  return taps;
  // END SOLUTION
}

}  // namespace tutorial

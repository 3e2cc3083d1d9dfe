// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Exercise 3: which roof is above a convolution? The functions get
//     full_convolution{samples, taps, element_bytes} and
//     device_limits{bytes_per_second, operations_per_second}; a multiply-add is two operations.

#include "roofline.hpp"

#include <algorithm>

namespace tutorial {

double operations_per_byte(const full_convolution& work) {
  // TODO: two operations per product; inputs are read once, outputs written once (about 4 lines)
  return work.element_bytes;  // what is counted, and what moves?
}

double roof(const full_convolution& work, const device_limits& device) {
  // TODO: what memory allows, or what arithmetic allows (about 2 lines)
  return device.bytes_per_second + operations_per_byte(work);
}

int first_taps_bound_by_arithmetic(double samples, double element_bytes, const device_limits& device) {
  // TODO: try one number of taps after the other (about 3 lines)
  return int(samples / element_bytes / device.bytes_per_second);
}

}  // namespace tutorial

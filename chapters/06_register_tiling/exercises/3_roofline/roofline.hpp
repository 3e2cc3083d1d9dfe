// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

namespace tutorial {

// [given]
struct full_convolution {
  double samples, taps;
  double element_bytes;  ///< 4 for float, 8 for double.
};

struct device_limits {
  double bytes_per_second;       ///< Read and written together.
  double operations_per_second;  ///< A multiply-add is two.
};
// [given]

/// Arithmetic intensity of a full convolution: two operations for each of its N K products, per byte that has
/// to move: N samples and K taps read, N + K - 1 outputs written.
double operations_per_byte(const full_convolution& work);

/// The most operations per second that any kernel for this work can reach on this device.
double roof(const full_convolution& work, const device_limits& device);

/// The smallest number of taps at which arithmetic is the limit and memory is not, 1 <= taps <= samples.
/// Precondition: there is such a number.
int first_taps_bound_by_arithmetic(double samples, double element_bytes, const device_limits& device);

}  // namespace tutorial

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// cuFFT's own way to use several devices for one transform.
#pragma once

#include <cstddef>
#include <span>

namespace tutorial {

/// Medians, in milliseconds, of a transform and the inverse one.
struct one_transform_times {
  double one_device_ms = 0;
  double several_ms = 0;  ///< The same signal on several devices, spectrum in natural order between the two.
  double error = 0;       ///< What came back, times 1 / length, against what was given: relative, by norms.
};

/// Of `length` complex numbers, a power of two, on these devices. Throws cufft_error and cuda_error.
one_transform_times time_one_transform(std::size_t length, std::span<const int> devices);

}  // namespace tutorial

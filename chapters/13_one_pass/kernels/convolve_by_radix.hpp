// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// On the way to convolve_one_pass.hpp: one kernel that keeps its numbers in shared memory. What that file
// says of x, h, y, mode, rounding and errors holds here, too.
#pragma once

#include <cstddef>

#include "13_one_pass/host/one_pass_tables.hpp"
#include "common/device/device_memory.hpp"
#include "common/verify/convolution.hpp"

namespace tutorial {

/// How many numbers a thread takes at a time, and whether one place in 17 of shared memory stays free.
enum class radix_passes { of_2, of_4, of_16, of_16_padded };

/// Segments of so many samples, of which so many belong to the segment before.
inline constexpr int radix_length = 4096, radix_overlap = 1024;

/// One filter of 1,025 taps at most for many calls. Move-only.
class radix_convolver {
 public:
  /// std::invalid_argument where the filter does not fit. Does not wait: h is read later, by a kernel in the
  /// default stream.
  radix_convolver(device_span<const float> h, std::size_t samples, convolution_mode mode,
                  radix_passes passes);
  /// x has `samples` samples, y the outputs of the mode; std::invalid_argument otherwise. Launches and does
  /// not wait.
  void operator()(device_span<const float> x, device_span<float> y) const;

 private:
  radix_passes passes_;
  segmented<float> segments_;  ///< Without x and y.
  device_buffer<float2> roots_, filter_;
};

}  // namespace tutorial

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// How fast the clock of the multiprocessors ran while they worked.
#pragma once

#include <vector>

#include "device_memory.hpp"

namespace tutorial {

/// What the clocks of a multiprocessor show.
struct clock_reading {
  long long multiprocessor;  ///< Its number.
  long long cycles;          ///< Since some time, at the rate that the multiprocessor has at each moment.
  long long nanoseconds;     ///< Of the device.
};

/// The cycles between a first and a last reading of a multiprocessor, per time: the median of all in MHz. 0
/// where none has both.
double megahertz_between(const std::vector<clock_reading>& first, const std::vector<clock_reading>& last);

/// Two small kernels, before and behind some work in the default stream. The driver lowers the clock when a
/// device needs too much power: then the same work takes as many cycles, and more time.
class clock_rate {
 public:
  /// Allocates a reading for each multiprocessor. Throws cuda_error where that fails.
  clock_rate();
  /// Launches the first kernel.
  void begin();
  /// Launches the second kernel and waits for it. The mean rate between them, in MHz; 0 on the emulated
  /// device, which has no time.
  double end_megahertz();

 private:
  device_buffer<clock_reading> first_, last_;
};

}  // namespace tutorial

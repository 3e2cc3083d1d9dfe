// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

namespace tutorial {

// [given]
/// A device with round numbers.
struct round_device {
  static constexpr double latency_ns = 500;     ///< The latency of a load from device memory.
  static constexpr double bytes_per_ns = 2000;  ///< It reads at most 2 TB/s.
  static constexpr int multiprocessors = 100;
  static constexpr int lanes_per_warp = 32;
};
// [given]

/// How many bytes must be under way on the whole device, at any time, for its full speed?
double bytes_to_keep_under_way();

/// A copy with 8 warps on each multiprocessor and one load of 4 bytes per thread at a time: how many bytes
/// does it read per ns?
double bytes_per_ns_of_8_warps();

/// With these 8 warps: how many independent loads of 4 bytes must each thread have under way, at least, for
/// the full speed? A whole number.
int loads_per_thread_for_full_speed();

/// With 64 warps and one load of 16 bytes per thread: how many bytes per ns, as far as the law alone knows?
double bytes_per_ns_that_the_law_allows();

/// And how many are read, since memory has a speed of its own?
double bytes_per_ns_that_are_read();

}  // namespace tutorial

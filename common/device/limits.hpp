// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What the device can do at best, measured in the same run as what is held against it.
#pragma once

#include <cstddef>
#include <string>

#include "measure.hpp"

namespace tutorial {

/// The time of a plain copy that reads `bytes` and writes `bytes`, buffers rotated: the faster of a kernel
/// with one 16-byte vector per thread and cudaMemcpyAsync. The limit of any kernel that moves as much.
struct copy_limit_result {
  timing time;
  std::string by;               ///< "kernel" or "cudaMemcpyAsync": which was faster.
  double bytes_per_second = 0;  ///< Read and written bytes together.
};
/// Measures a plain copy of `bytes` to as many others.
copy_limit_result copy_limit(std::size_t bytes);

/// The rate of independent fused multiply-adds from registers, in operations per second (one FMA is two).
/// Defined for float, double and int32 (multiply and add).
template <class T>
double fma_limit();

/// The rate of independent products of small matrices on tensor cores, by mma.sync, in operations per second.
/// double: of doubles, as exact as fused multiply-adds. float: of tf32, which keeps 10 bits of the fraction
/// of each factor, and adds in float. 0 where the device has no such instruction (compute capability below
/// 8.0).
template <class T>
double tensor_limit();

/// Host to device and back, in bytes per second.
struct host_link_result {
  double pageable_to_device, pageable_to_host, pinned_to_device, pinned_to_host;
};
/// Measures copies of `bytes` to the device and back, from ordinary (pageable) and from page-locked (pinned)
/// memory.
host_link_result host_link(std::size_t bytes);

/// Launch cost in microseconds: per kernel when many are enqueued back to back, and launch + synchronize of
/// one.
struct launch_cost_result {
  double back_to_back_us, round_trip_us;
};
/// Measures what a launch costs, by a kernel of one warp that does nothing.
launch_cost_result launch_cost();

}  // namespace tutorial

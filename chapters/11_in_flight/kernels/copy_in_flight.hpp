// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// A copy that says how many bytes it keeps under way, and how many instructions it executes beside it.
#pragma once

#include "common/device/device_memory.hpp"
#include "common/device/kernel_facts.hpp"

namespace tutorial {

/// Threads of a block of copy_in_flight().
inline constexpr int copy_threads_per_block = 256;

/// How many loads copy_in_flight() has under way, and what it does between them.
struct copy_shape {
  int loads = 1;          ///< Of 4 bytes, independent, per thread at a time: 1, 2, 4 or 8.
  int blocks = 8;         ///< Resident on a multiprocessor at a time: 1 to 8.
  int multiply_adds = 0;  ///< Per element, from registers: at least 0.
};

/// The most bytes that these loads have under way on a multiprocessor at a time.
constexpr double bytes_under_way(const copy_shape& shape) {
  return double(shape.blocks) * copy_threads_per_block * shape.loads * 4;
}

/// Little's law for a copy, in TB/s read and written: so many kB of loads are under way on each
/// multiprocessor, each for that latency. A copy moves what it loads a second time, when it stores it.
constexpr double copy_speed(double kilobytes, int multiprocessors, double latency_ns) {
  return 2 * kilobytes * multiprocessors / latency_ns;  // kB / ns = TB/s
}

/// y[i] = x[i], or what is left of it after so many v = fma(v, 0.5, 1). As many blocks as the device holds at
/// a time go through all elements; each asks for shared memory that it does not use, so that no more than
/// shape.blocks are resident. Launches and does not wait. x and y have the same length and do not overlap.
/// Throws std::invalid_argument for other lengths and shapes, cuda_error for a launch that is refused.
/// Nothing is launched for an empty range.
void copy_in_flight(device_span<const float> x, device_span<float> y, const copy_shape& shape);

/// Of the kernel with that shape.
kernel_facts copy_in_flight_facts(const copy_shape& shape);

/// The threads of a block with which the runtime expects most threads on a multiprocessor, for that kernel
/// without shared memory.
int suggested_threads(const copy_shape& shape);

}  // namespace tutorial

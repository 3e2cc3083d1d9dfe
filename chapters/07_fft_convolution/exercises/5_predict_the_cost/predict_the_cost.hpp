// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace tutorial {

/// What a device does in a second, and how long it takes to begin a kernel.
struct device_rates {
  double operations_per_second = 0, bytes_per_second = 0, seconds_per_kernel = 0;
};

/// What a method has to do.
struct method_work {
  double operations = 0;  ///< Additions and multiplications.
  double bytes = 0;       ///< Read from and written to the device's memory.
  double kernels = 0;
};

/// The model's answer to how often one transform of `length` floats goes over its block: once up to 8192
/// floats, then twice, and beyond 2^20 floats three times. Each time is a kernel that reads and writes the
/// block. (A library may do it in another way.)
constexpr int passes(std::size_t length) {
  return length <= 8192 ? 1 : length <= (std::size_t{1} << 20) ? 2 : 3;
}

/// The full convolution of N floats with K taps by chapter 06: K multiply-adds per output, two operations
/// each. Every sample is read once and every output is written once, by one kernel.
method_work work_of_sums(double samples, double taps);

/// The same by transforms of `length` floats, each of which gives length - K + 1 outputs. (One that holds all
/// N + K - 1 of them is one block.) For each block: a transform there, a product that reads and writes the
/// block, a transform back, and 5 L log2 L + 5 L operations. At last one kernel reads every output from its
/// block and writes it where it belongs. All blocks go through the same kernels. The filter's spectrum is
/// there already.
method_work work_of_transforms(double samples, double taps, std::size_t length);

/// Kernels begin one after the other; beside that, what takes longer counts, operations or bytes.
double seconds(const method_work& work, const device_rates& device);

}  // namespace tutorial

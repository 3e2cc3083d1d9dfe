// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// A scan without its markers and without the zeros behind 0xFF: what is left are the bits of its intervals.
#pragma once

#include <cstddef>
#include <cstdint>

#include "10_bits/kernels/encode/tile_encoder.hpp"
#include "common/device/device_memory.hpp"

namespace tutorial {

/// What kernels found out about a scan; all bits are 1 before. In device memory.
struct scan_findings {
  int markers;             ///< How many there are, that of the end of the image included.
  unsigned damaged;        ///< The first interval that is damaged; ~0u: none.
  int in_step;             ///< 0: readers of pieces did not come to agree.
  unsigned damaged_block;  ///< The first block whose bits are damaged; ~0u: none.

  /// Nothing has been found that is wrong.
  __host__ __device__ bool are_good(int intervals) const {
    return markers >= intervals && damaged == ~0u && in_step != 0;
  }
};

/// Cleans scans; keeps the memory that it takes.
class scan_cleaner {
 public:
  /// The most bytes of a scan.
  static constexpr int most_bytes = 0x7fff0000;
  /// Zeros behind the last byte that is left: more than 63 symbols of 31 bits, and three words.
  static constexpr int zeros_behind = 288;

  /// Leaves out restart markers, the end of the image, each 0 behind 0xFF, and each 0xFF in front of another
  /// one: that fills (T.81 B.1.1.2; as libjpeg, also where no marker follows). Behind each of the first
  /// `intervals` markers an interval ends: begins[m + 1] becomes the number of bytes that are left of what is
  /// in front of marker m, begins[0] is 0; findings->markers how many there are in all, findings->damaged at
  /// most the first interval whose marker has the wrong number, or that has a 0xFF with neither a 0 nor a
  /// marker behind it. Elements of begins for which there is no marker stay as they were. `begins` has
  /// intervals + 1 elements, the scan at most most_bytes bytes at any address. Launches, and does not wait.
  /// Throws cuda_error.
  void clean(device_span<const std::uint8_t> scan, int intervals, int* begins, scan_findings* findings,
             cudaStream_t stream = nullptr);

  /// Has the memory for scans of so many bytes from here on.
  void reserve(std::size_t bytes);

  /// The bytes that were left by the last call, four a word, the first one lowest.
  const std::uint32_t* words() const { return words_.data(); }

 private:
  device_buffer<std::uint32_t> words_;
  tile_board_memory board_{1};
};

}  // namespace tutorial

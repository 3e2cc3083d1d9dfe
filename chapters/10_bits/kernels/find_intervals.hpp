// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// Where the restart intervals of a scan begin.
#pragma once

#include <cstdint>

#include "common/device/device_memory.hpp"
#include "tile_encoder.hpp"

namespace tutorial {

/// What kernels found out about a scan; all bits are 1 before. In device memory.
struct scan_findings {
  int markers;       ///< How many there are, that of the end of the image included.
  unsigned damaged;  ///< The first interval that is damaged; ~0u: none.
};

/// Finds them; keeps the memory that it takes.
class interval_finder {
 public:
  /// The most bytes of a scan.
  static constexpr int most_bytes = 0x7fff0000;

  /// Behind each of the first `intervals` markers (restart, or end of the image) an interval ends:
  /// begins[m + 1] becomes the byte behind marker m, begins[0] is 0; findings->markers how many there are in
  /// all, findings->damaged the first interval whose marker has the wrong number, at most. Elements of begins
  /// for which there is no marker stay as they were. `begins` has intervals + 1 elements, the scan at most
  /// most_bytes bytes at any address. Launches, and does not wait. Throws cuda_error.
  void find(device_span<const std::uint8_t> scan, int intervals, int* begins, scan_findings* findings);

 private:
  tile_board_memory board_{1};
};

}  // namespace tutorial

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "reference.hpp"

#include "convolve_serial.hpp"

namespace tutorial {

host_convolutions reference_convolutions() {
  return all_types_on_host(
      [](auto x, auto h, auto y, convolution_mode mode) { convolve_gather_on_all_cores(x, h, y, mode); });
}

}  // namespace tutorial

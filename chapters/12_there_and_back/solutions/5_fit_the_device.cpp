// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Exercise 5: a signal of any length, and a device with little memory.
#include "fit_the_device.hpp"

namespace tutorial {

std::size_t chunk_outputs(std::size_t bytes, std::size_t taps, std::size_t buffers,
                          std::size_t element_bytes) {
  // SOLUTION: what does not depend on the outputs; how many outputs fit in the rest (about 6 lines)
  // STARTER: return bytes / (2 * buffers * element_bytes);
  std::size_t elements = bytes / element_bytes;
  if (elements < taps) return 0;
  elements = (elements - taps) / buffers;  // of one buffer
  if (elements < taps - 1) return 0;
  return (elements - (taps - 1)) / 2 / 256 * 256;
  // END SOLUTION
}

}  // namespace tutorial

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Exercise 5: a signal of any length, and a device with little memory.
#include "fit_the_device.hpp"

namespace tutorial {

std::size_t chunk_outputs(std::size_t bytes, std::size_t taps, std::size_t buffers,
                          std::size_t element_bytes) {
  // TODO: what does not depend on the outputs; how many outputs fit in the rest (about 6 lines)
  return bytes / (2 * buffers * element_bytes);
}

}  // namespace tutorial

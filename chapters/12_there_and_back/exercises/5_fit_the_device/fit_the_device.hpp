// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace tutorial {

/// How many outputs a chunk can have, so that a ring of `buffers` buffers fits into `bytes` bytes of device
/// memory. A buffer has the samples of a chunk, outputs + taps - 1, and its outputs, all of them of
/// element_bytes bytes; besides the ring, the device holds the taps once. The largest multiple of 256 that
/// fits; 0 where not even 256 outputs do. taps, buffers and element_bytes are at least 1. No intermediate
/// result overflows.
std::size_t chunk_outputs(std::size_t bytes, std::size_t taps, std::size_t buffers,
                          std::size_t element_bytes);

}  // namespace tutorial

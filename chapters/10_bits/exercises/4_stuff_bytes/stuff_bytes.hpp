// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "common/device/device_memory.hpp"

namespace tutorial {

/// The same bytes with a 0 behind each 0xFF, to the beginning of `file`, which has room for twice as many.
/// Returns how many bytes that makes. At most 2^30 bytes; waits.
std::size_t stuff_bytes(device_span<const std::uint8_t> bytes, device_span<std::uint8_t> file);

}  // namespace tutorial

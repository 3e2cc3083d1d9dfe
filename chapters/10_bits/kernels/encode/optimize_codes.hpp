// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Codes made for one picture, on the device.
#pragma once

#include <cstdint>

#include "10_bits/host/coding_tables.hpp"
#include "common/device/device_memory.hpp"
#include "tile_input.hpp"
#include "tiles.hpp"

namespace tutorial {

/// DC and AC of brightness, DC and AC of the colors: 256 counts each.
inline constexpr int symbol_tables = 4;
/// How often a symbol may occur.
inline constexpr std::uint32_t most_counted = ~std::uint32_t{0} - 1;

/// Counts the symbols of the picture, makes the codes that optimized_code() makes of these counts, and writes
/// tables and header to *coding, whose header must be one with other codes for the same picture. `counts` has
/// room for symbol_tables * 256. Launches and does not wait; cuda_error for a launch that is refused.
void optimize_codes(const tile_input& in, const tile_layout& layout, device_span<std::uint32_t> counts,
                    device_coding* coding, cudaStream_t stream);

}  // namespace tutorial

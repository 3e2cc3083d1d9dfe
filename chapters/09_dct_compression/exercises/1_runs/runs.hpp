// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "common/device/device_memory.hpp"
#include "common/device/plane.hpp"

namespace tutorial {

/// The symbols of every 8x8 block, as ITU-T T.81, F.1.2.2, defines them. Its 63 AC levels are visited in
/// zig-zag order.
///   each that is not zero   one symbol, 16 * run + size: `run` zeros stand right before it,
///                           and |level| < 2^size
///   a run of more than 15   a symbol 0xF0 for every 16 of its zeros, in front of that
///   zeros behind the last   one symbol 0x00, end of block, however many; none if the last level is not zero
/// 8x8 blocks are numbered row by row. Block b has counts[b] symbols from symbols[63 * b] on; more than 63
/// there never are. `levels` consists of whole 8x8 blocks, at least one, and has fewer than 2^31 levels,
/// pitch included; |level| <= 1023 for AC.
void run_symbols(device_plane_span<const std::int16_t> levels, device_span<std::uint8_t> symbols,
                 device_span<int> counts);

}  // namespace tutorial

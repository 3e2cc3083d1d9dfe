// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "common/device/device_memory.hpp"
#include "common/device/plane.hpp"

namespace tutorial {

/// 64 answers for each 8x8 block: bit i of masks[b] is set if level i in zig-zag order of 8x8 block b is not
/// zero. 8x8 blocks are numbered row by row. `levels` consists of whole ones, at least one and at most 65,535
/// below each other, fewer than 2^31 levels, pitch included; its rows begin at multiples of 16 bytes. The
/// target: one load request for four 8x8 blocks, no sector loaded twice, no shared memory.
void nonzero_masks(device_plane_span<const std::int16_t> levels, device_span<unsigned long long> masks);

}  // namespace tutorial

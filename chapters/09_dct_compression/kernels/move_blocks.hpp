// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// A question put to the device: how fast would the round trip be if it had nothing to calculate?
#pragma once

#include <cstdint>

#include "common/device/plane.hpp"

namespace tutorial {

/// result = pixels, moved as round_trip_fused() moves them: a thread for each 8x8 block, the same loads and
/// stores. Demands and errors are those of round_trip_fused().
void move_blocks(device_plane_span<const std::uint8_t> pixels, device_plane_span<std::uint8_t> result,
                 cudaStream_t stream = nullptr);

}  // namespace tutorial

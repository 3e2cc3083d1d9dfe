// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "common/device/device_memory.hpp"

namespace tutorial {

/// transposed[m] = matrices[m], rows for columns. A matrix has 8 x 8 fp16 numbers (their bits), row by row;
/// none is infinite or NaN, and -0 becomes 0, as in a sum. Both have the same size, a multiple of 64, at most
/// 2^20. The target: a warp for each matrix, and neither shared memory nor shuffles: one mma.sync exchanges
/// the numbers.
void transpose(device_span<const std::uint16_t> matrices, device_span<std::uint16_t> transposed);

}  // namespace tutorial

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "common/device/device_memory.hpp"

namespace tutorial {

/// The polynomial whose coefficients are y, at r: value[0] = sum over n of y[n] r^n, modulo 2^32.
/// y has 1 to 2^30 elements, value has one. About 2 multiplications for each element.
void evaluate(device_span<const std::int32_t> y, std::uint32_t r, device_span<std::uint32_t> value);

/// How many multiplications all calls of evaluate() have made so far. Waits for them.
std::uint64_t multiplications_so_far();

}  // namespace tutorial

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "common/device/device_memory.hpp"

namespace tutorial {

/// The rain of five days, and how it changes from day to day:
///     total[n] = x[n - 4] + x[n - 3] + x[n - 2] + x[n - 1] + x[n], change[n] = total[n] - total[n - 1]
/// for 0 <= n < N + 4; days outside x are dry. x holds the rain of N days, N >= 1, in tenths of a millimeter;
/// total and change have N + 4 elements.
void rain_of_five_days(device_span<const std::int32_t> x, device_span<std::int32_t> total,
                       device_span<std::int32_t> change);

}  // namespace tutorial

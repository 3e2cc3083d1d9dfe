// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "common/device/device_memory.hpp"

namespace tutorial {

inline constexpr int most_coefficients = 16;

/// Readings of a sensor to the quantity that it measures: y[i] = c[0] + c[1] x[i] + c[2] x[i]^2 + ...
/// c lies on the host and has 1 to most_coefficients elements; throws std::invalid_argument for more. Any
/// number of readings from 1 on. Every reading is loaded once, every result stored once.
void calibrate(device_span<const float> x, std::span<const float> c, device_span<float> y);

}  // namespace tutorial

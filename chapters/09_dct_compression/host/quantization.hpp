// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What JPEG agrees on: the quantization tables, their scaling by quality, and the zig-zag order.
#pragma once

#include <array>
#include <cstdint>

namespace tutorial {

/// The 64 step sizes of a component, step[8 * v + u] for the coefficient (v, u), 1..255.
using quantization_table = std::array<std::uint16_t, 64>;

enum class component_kind { luminance, chrominance };

/// The example tables of ITU-T T.81, Annex K.1 and K.2, scaled as libjpeg's jpeg_set_quality() scales them
/// (baseline): percentage = 5000 / quality below 50, 200 - 2 quality from 50 on;
/// step = (table * percentage + 50) / 100 in 1..255. Throws std::invalid_argument for a quality that is not
/// 1..100.
quantization_table table_for(component_kind kind, int quality);

/// zigzag_order[i] = 8 * v + u of the i-th coefficient on the path (ITU-T T.81, figure A.6). Computed, not
/// typed.
const std::array<std::uint8_t, 64>& zigzag_order();

}  // namespace tutorial

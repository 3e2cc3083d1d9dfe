// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// A picture smoothed on the host: the definition that the kernels of filter_square.cu and
// filter_separable.cu are compared with.
#pragma once

#include "common/device/plane.hpp"
#include "common/verify/compare.hpp"

namespace tutorial {

/// The filter has 2 filter_radius + 1 taps in each direction.
inline constexpr int filter_radius = 3;
/// Its taps: row 6 of Pascal's triangle. Their sum is 64.
inline constexpr float filter_taps[2 * filter_radius + 1] = {1 / 64.0f,  6 / 64.0f, 15 / 64.0f, 20 / 64.0f,
                                                             15 / 64.0f, 6 / 64.0f, 1 / 64.0f};

/// y[row][col] = sum over j, i of g[j] g[i] x[row + r - j][col + r - i], j and i from 0 to 2 r. Outside of
/// the picture its last row and column are repeated.
plane<double> filter_definition(const plane<float>& x);

/// Compares with the definition, exactly. The pixels must be whole numbers from 0 to 255: then every sum is a
/// multiple of 1/4096 below 256, which a float holds without rounding, in whatever order it is added up.
/// Throws std::invalid_argument if the sizes differ.
agreement verify_filter(const plane<float>& x, const plane<float>& y);

}  // namespace tutorial

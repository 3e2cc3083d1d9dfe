// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Planes of pixels for checks, the same on every machine.
#pragma once

#include <cstdint>

#include "common/device/plane.hpp"

namespace tutorial {

/// Every pixel random; black and white only, so that sums and coefficients are as large as they can be; or
/// shades, edges and some noise, as photographs have them.
enum class plane_kind { random, black_and_white, shades };

/// A plane of that kind; `seed` changes the random one.
plane<std::uint8_t> test_plane(plane_kind kind, int width, int height, std::uint64_t seed = 1);

}  // namespace tutorial

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// A picture that is the same on every machine.
#pragma once

#include <cstdint>

#include "common/device/plane.hpp"

namespace tutorial {

/// A picture without a file: smooth shades, edges and some noise, whole numbers in 0..255. The same on every
/// machine.
plane<float> test_picture(int width, int height, std::uint64_t seed = 1);

}  // namespace tutorial

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "test_picture.hpp"

#include <algorithm>

#include "inputs.hpp"

namespace tutorial {

plane<float> test_picture(int width, int height, std::uint64_t seed) {
  plane<float> picture(width, height);
  for (int row = 0; row < height; ++row)
    for (int col = 0; col < width; ++col) {
      // Whole numbers throughout: no rounding that differs between machines.
      const int shade = (col * 3 + row * 2) / 4 % 256, ramp = shade < 128 ? shade : 255 - shade;
      const bool inside = (col / 37 + row / 53) % 2 == 0;  // edges that do not fall on those of 8x8 blocks
      const auto place = std::uint64_t(row) * std::uint64_t(width) + std::uint64_t(col);
      const int noise = int(random_bits(seed, place) % 17);
      picture.at(row, col) = float(std::min(255, ramp + (inside ? 96 : 8) + noise));
    }
  return picture;
}

}  // namespace tutorial

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "test_picture.hpp"

#include <algorithm>

#include "in_parts.hpp"
#include "inputs.hpp"

namespace tutorial {

plane<float> test_picture(int width, int height, std::uint64_t seed) {
  plane<float> picture(width, height);
  const auto columns = std::size_t(width);
  in_parts(columns * std::size_t(height), [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t place = begin; place < end; ++place) {
      const int row = int(place / columns), col = int(place % columns);
      // Whole numbers throughout: no rounding that differs between machines.
      const int shade = (col * 3 + row * 2) / 4 % 256, ramp = shade < 128 ? shade : 255 - shade;
      const bool inside = (col / 37 + row / 53) % 2 == 0;  // edges that do not fall on those of 8x8 blocks
      const int noise = int(random_bits(seed, place) % 17);
      picture.at(row, col) = float(std::min(255, ramp + (inside ? 96 : 8) + noise));
    }
  });
  return picture;
}

}  // namespace tutorial

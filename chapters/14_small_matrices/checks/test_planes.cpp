// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "test_planes.hpp"

#include "common/verify/inputs.hpp"
#include "common/verify/test_picture.hpp"

namespace tutorial {
namespace {

/// Blocks of four kinds: the finest checkers, lines, bars, and noise.
int black_or_white(int row, int col) {
  switch ((row / 8 + col / 8) % 4) {
    case 0:
      return (row + col) % 2;
    case 1:
      return row % 2;
    case 2:
      return col / 4 % 2;
    default:
      return int(random_bits(3, std::uint64_t(row) * 65536 + std::uint64_t(col)) & 1);
  }
}

}  // namespace

plane<std::uint8_t> test_plane(plane_kind kind, int width, int height, std::uint64_t seed) {
  plane<std::uint8_t> pixels(width, height);
  if (kind == plane_kind::shades) {
    const plane<float> picture = test_picture(width, height);
    pixels.values.assign(picture.values.begin(), picture.values.end());
    return pixels;
  }
  for (int row = 0; row < height; ++row)
    for (int col = 0; col < width; ++col)
      pixels.at(row, col) = std::uint8_t(
          kind == plane_kind::black_and_white
              ? 255 * black_or_white(row, col)
              : int(random_bits(seed, std::uint64_t(row) * 65536 + std::uint64_t(col)) >> 24 & 255));
  return pixels;
}

}  // namespace tutorial

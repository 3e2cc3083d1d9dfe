// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "test_pictures.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "common/verify/inputs.hpp"

namespace tutorial {

namespace {

/// The basis wave (7, 7) of each 8x8 block.
int wave(int row, int col) {
  const auto along = [](int i) { return std::cos((2 * (i % 8) + 1) * 7 * std::numbers::pi / 16); };
  return int(std::lround(128 + 100 * along(row) * along(col)));
}

}  // namespace

image test_picture(int width, int height, int channels, picture_kind kind, std::uint64_t seed) {
  image result(width, height, channels);
  for (int row = 0; row < height; ++row)
    for (int col = 0; col < width; ++col)
      for (int c = 0; c < channels; ++c) {
        const std::size_t at = std::size_t(row) * result.stride() + std::size_t(col * channels + c);
        const int noise = int(random_bits(seed, at) & 255);
        const int slope = 3 * row + 2 * col + 40 * c + noise % 6 + (col / 13 % 2) * 60;
        result.pixels()[at] = std::uint8_t(kind == picture_kind::noise      ? noise
                                           : kind == picture_kind::slopes   ? slope
                                           : kind == picture_kind::one_wave ? wave(row, col)
                                                                            : 90 + 50 * c);
      }
  return result;
}

std::string file_difference(const std::vector<std::uint8_t>& ours, const std::vector<std::uint8_t>& theirs) {
  const std::size_t both = std::min(ours.size(), theirs.size());
  for (std::size_t i = 0; i < both; ++i)
    if (ours[i] != theirs[i])
      return "byte " + std::to_string(i) + " is " + std::to_string(ours[i]) + ", libjpeg's is " +
             std::to_string(theirs[i]);
  return ours.size() == theirs.size() ? ""
                                      : "our file has " + std::to_string(ours.size()) + " bytes, libjpeg's " +
                                            std::to_string(theirs.size());
}

}  // namespace tutorial

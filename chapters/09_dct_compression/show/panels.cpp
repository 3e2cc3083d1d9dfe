// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "panels.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <stdexcept>

namespace tutorial {

image side_by_side(const std::vector<image>& pictures, int columns) {
  if (pictures.empty() || columns < 1) throw std::invalid_argument("side_by_side: no pictures");
  const int width = pictures[0].width(), height = pictures[0].height();
  const int rows = (int(pictures.size()) + columns - 1) / columns;
  const int gap = std::max(2, width / 64);
  const bool color = std::any_of(pictures.begin(), pictures.end(),
                                 [](const image& picture) { return picture.channels() == 3; });
  const std::int64_t all_width = std::int64_t(columns) * (width + gap) - gap;
  const std::int64_t all_height = std::int64_t(rows) * (height + gap) - gap;
  if (std::max(all_width, all_height) > std::numeric_limits<int>::max())
    throw std::invalid_argument("side_by_side: the pictures are too large");
  image all(int(all_width), int(all_height), color ? 3 : 1);
  std::fill(all.pixels().begin(), all.pixels().end(), std::uint8_t(255));
  for (int i = 0; i < int(pictures.size()); ++i) {
    const image& picture = pictures[std::size_t(i)];
    if (picture.width() != width || picture.height() != height)
      throw std::invalid_argument("side_by_side: the pictures differ in size");
    const int top = i / columns * (height + gap), left = i % columns * (width + gap);
    for (int row = 0; row < height; ++row) {
      const auto from = picture.row(row);
      const auto to = all.row(top + row).subspan(std::size_t(left) * std::size_t(all.channels()));
      for (int col = 0; col < width; ++col)
        for (int c = 0; c < all.channels(); ++c)
          to[std::size_t(col * all.channels() + c)] =
              from[std::size_t(col * picture.channels() + std::min(c, picture.channels() - 1))];
    }
  }
  return all;
}

image coefficient_picture(const dct::picture& picture) {
  const dct_component component = picture.component(0);
  image result(component.width, component.height, 1);
  for (int row = 0; row < component.height; ++row)
    for (int col = 0; col < component.width; ++col) {
      const int level = component.levels[std::ptrdiff_t(row) * component.padded_width + col];
      const int coefficient = level * component.steps[8 * (row % 8) + col % 8];
      const double brightness = 255 * std::log1p(std::abs(coefficient)) / std::log1p(1024);
      result.at(row, col) = std::uint8_t(std::min(255L, std::lround(brightness)));
    }
  return result;
}

image amplified_difference(const image& original, const image& result, int factor) {
  if (original.width() != result.width() || original.height() != result.height() ||
      original.channels() != result.channels())
    throw std::invalid_argument("amplified_difference: the pictures differ in size or channels");
  image difference = original;
  for (std::size_t i = 0; i < difference.pixels().size(); ++i)
    difference.pixels()[i] = std::uint8_t(
        std::clamp(128 + factor * (int(result.pixels()[i]) - int(original.pixels()[i])), 0, 255));
  return difference;
}

image panels(const image& original, const dct::picture& picture, const image& result) {
  return side_by_side({original, coefficient_picture(picture), result,
                       amplified_difference(original, result, difference_factor)},
                      2);
}

image first_panels(const dct::picture& picture) {
  std::vector<image> all;
  for (const int count : first_counts)
    all.push_back(reconstructed(picture.keep_first(count), dct::processor::gpu));
  return side_by_side(all, 3);
}

image reconstructed(const dct::picture& picture, dct::processor where) {
  const dct_description size = picture.describe();
  return image(size.width, size.height, size.channels, picture.reconstruct(where));
}

}  // namespace tutorial

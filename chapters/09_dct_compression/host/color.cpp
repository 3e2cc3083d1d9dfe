// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "color.hpp"

#include <algorithm>
#include <cstddef>
#include <stdexcept>

#include "color_factors.hpp"

namespace tutorial {
namespace {

using namespace detail;

std::uint8_t clamped(int value) { return std::uint8_t(std::clamp(value, 0, 255)); }

}  // namespace

std::array<std::uint8_t, 3> ycbcr_of_rgb(std::uint8_t red, std::uint8_t green, std::uint8_t blue) {
  const int r = red, g = green, b = blue;
  const int y = (y_red * r + y_green * g + y_blue * b + half) >> places;
  const int cb = (one_half * b - cb_red * r - cb_green * g + color_offset) >> places;
  const int cr = (one_half * r - cr_green * g - cr_blue * b + color_offset) >> places;
  return {std::uint8_t(y), std::uint8_t(cb), std::uint8_t(cr)};
}

std::array<std::uint8_t, 3> rgb_of_ycbcr(std::uint8_t y, std::uint8_t cb, std::uint8_t cr) {
  const int b = cb - 128, r = cr - 128;  // >> of a negative number rounds down, by C++20's own word
  return {clamped(y + ((red_cr * r + half) >> places)),
          clamped(y + ((half - green_cb * b - green_cr * r) >> places)),
          clamped(y + ((blue_cb * b + half) >> places))};
}

plane<std::uint8_t> halved(const plane<std::uint8_t>& samples) {
  plane<std::uint8_t> result(half_as_many(samples.width), half_as_many(samples.height));
  for (int row = 0; row < result.height; ++row) {
    const int upper = 2 * row, lower = std::min(upper + 1, samples.height - 1);
    for (int col = 0; col < result.width; ++col) {
      const int left = 2 * col, right = std::min(left + 1, samples.width - 1);
      const int sum = samples.at(upper, left) + samples.at(upper, right) + samples.at(lower, left) +
                      samples.at(lower, right);
      result.at(row, col) = std::uint8_t((sum + 1 + col % 2) >> 2);
    }
  }
  return result;
}

std::vector<plane<std::uint8_t>> split(const image& picture, chroma_sampling sampling) {
  const int width = picture.width(), height = picture.height();
  const std::span<const std::uint8_t> pixels = picture.pixels();
  std::vector<plane<std::uint8_t>> planes;
  if (picture.channels() == 1) {
    planes.emplace_back(width, height, std::vector<std::uint8_t>(pixels.begin(), pixels.end()));
    return planes;
  }
  planes.assign(3, plane<std::uint8_t>(width, height));
  for (std::size_t i = 0; i < planes[0].values.size(); ++i) {
    const auto ycbcr = ycbcr_of_rgb(pixels[3 * i], pixels[3 * i + 1], pixels[3 * i + 2]);
    for (std::size_t c = 0; c < 3; ++c) planes[c].values[i] = ycbcr[c];
  }
  if (sampling == chroma_sampling::s420)
    for (const std::size_t c : {1, 2}) planes[c] = halved(planes[c]);
  return planes;
}

image joined(const std::vector<plane<std::uint8_t>>& planes, int width, int height,
             chroma_sampling sampling) {
  const bool halves = planes.size() == 3 && sampling == chroma_sampling::s420;
  for (const plane<std::uint8_t>& one : planes) {
    const bool half = halves && &one != &planes[0];
    if (one.width != (half ? half_as_many(width) : width) ||
        one.height != (half ? half_as_many(height) : height))
      throw std::invalid_argument("joined: a plane is not as large as the picture asks for");
  }
  if (planes.size() == 1) return image(width, height, 1, planes[0].values);
  if (planes.size() != 3) throw std::invalid_argument("joined: a picture has one plane or three");
  const int half = halves ? 1 : 0;  // a shift
  image picture(width, height, 3);
  std::uint8_t* pixel = picture.pixels().data();
  for (int row = 0; row < height; ++row)
    for (int col = 0; col < width; ++col) {
      const auto rgb = rgb_of_ycbcr(planes[0].at(row, col), planes[1].at(row >> half, col >> half),
                                    planes[2].at(row >> half, col >> half));
      pixel = std::copy(rgb.begin(), rgb.end(), pixel);
    }
  return picture;
}

}  // namespace tutorial

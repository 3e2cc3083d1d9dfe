// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "compress_serial.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <utility>
#include <vector>

#include "08_dct8x8/dct_serial.hpp"
#include "color.hpp"
#include "ties.hpp"

namespace tutorial {
namespace {

using block = std::array<double, 64>;  // [8 * row + col]

/// B = M X M^T with M = A (forward) or A^T (back): first the columns of X, then the rows of what comes out.
block transformed(const whole_block& x, bool forward) {
  const dct_matrix_t& a = dct_matrix();
  const auto m = [&](std::size_t i, std::size_t j) { return forward ? a[i][j] : a[j][i]; };
  block columns{}, result{};
  for (std::size_t i = 0; i < 8; ++i)
    for (std::size_t j = 0; j < 8; ++j)
      for (std::size_t col = 0; col < 8; ++col) columns[8 * i + col] += m(i, j) * x[8 * j + col];
  for (std::size_t row = 0; row < 8; ++row)
    for (std::size_t j = 0; j < 8; ++j)
      for (std::size_t i = 0; i < 8; ++i) result[8 * row + i] += columns[8 * row + j] * m(i, j);
  return result;
}

/// Is it so near to m + 1/2 that only whole numbers can say on which side? 8-bit pixels and steps leave a double wrong by
/// less than 1e-9; wherever it is further away than this, it is right.
bool may_be_halfway(double value) { return std::abs(value - std::floor(value) - 0.5) < 1e-6; }

double exactly_halfway(double value) { return std::floor(value) + 0.5; }

void require_padded(const plane<std::int16_t>& levels, int width, int height) {
  if (width < 0 || height < 0 || levels.width != padded(width) || levels.height != padded(height))
    throw std::invalid_argument("decode_serial: the levels are not as many as whole 8x8 blocks need");
}

/// Calls place(row, col, ratio) for every coefficient.
template <class Place>
void for_each_ratio(const plane<std::uint8_t>& pixels, const quantization_table& steps, const Place& place) {
  for (int top = 0; top < pixels.height; top += 8)
    for (int left = 0; left < pixels.width; left += 8) {
      whole_block x;
      for (int i = 0; i < 64; ++i)
        x[std::size_t(i)] =
            pixels.at(std::min(top + i / 8, pixels.height - 1), std::min(left + i % 8, pixels.width - 1)) -
            128;
      const block c = transformed(x, true);
      for (int i = 0; i < 64; ++i) {
        const int step = steps[std::size_t(i)];
        double ratio = c[std::size_t(i)] / step;
        if (may_be_halfway(ratio) && is_tie(exact_coefficient(x, i / 8, i % 8), step))
          ratio = exactly_halfway(ratio);
        place(top + i / 8, left + i % 8, ratio);
      }
    }
}

/// Calls place(row, col, value) for every pixel of the picture.
template <class Place>
void for_each_value(const plane<std::int16_t>& levels, const quantization_table& steps, int width, int height,
                    const Place& place) {
  require_padded(levels, width, height);
  for (int top = 0; top < height; top += 8)
    for (int left = 0; left < width; left += 8) {
      whole_block c;
      for (int i = 0; i < 64; ++i)
        c[std::size_t(i)] = levels.at(top + i / 8, left + i % 8) * steps[std::size_t(i)];
      const block x = transformed(c, false);
      for (int i = 0; i < 64; ++i) {
        const int row = top + i / 8, col = left + i % 8;
        if (row >= height || col >= width) continue;
        double value = x[std::size_t(i)];
        if (may_be_halfway(value) && is_tie(exact_pixel(c, i / 8, i % 8), 1)) value = exactly_halfway(value);
        place(row, col, value + 128);
      }
    }
}

}  // namespace

plane<std::int16_t> encode_serial(const plane<std::uint8_t>& pixels, const quantization_table& steps) {
  plane<std::int16_t> levels(padded(pixels.width), padded(pixels.height));
  for_each_ratio(pixels, steps, [&](int row, int col, double ratio) {
    levels.at(row, col) = std::int16_t(std::round(ratio));  // halves away from zero
  });
  return levels;
}

plane<double> unrounded_levels(const plane<std::uint8_t>& pixels, const quantization_table& steps) {
  plane<double> ratios(padded(pixels.width), padded(pixels.height));
  for_each_ratio(pixels, steps, [&](int row, int col, double ratio) { ratios.at(row, col) = ratio; });
  return ratios;
}

plane<std::uint8_t> decode_serial(const plane<std::int16_t>& levels, const quantization_table& steps,
                                  int width, int height) {
  plane<std::uint8_t> pixels(width, height);
  for_each_value(levels, steps, width, height, [&](int row, int col, double value) {
    pixels.at(row, col) = std::uint8_t(std::clamp(std::floor(value + 0.5), 0.0, 255.0));
  });
  return pixels;
}

plane<double> unrounded_pixels(const plane<std::int16_t>& levels, const quantization_table& steps, int width,
                               int height) {
  plane<double> values(width, height);
  for_each_value(levels, steps, width, height,
                 [&](int row, int col, double value) { values.at(row, col) = value; });
  return values;
}

compressed_picture compress_serial(const image& picture, int quality, chroma_sampling sampling) {
  if (picture.channels() == 1) sampling = chroma_sampling::s444;
  compressed_picture result{
      .width = picture.width(), .height = picture.height(), .sampling = sampling, .components = {}};
  for (const plane<std::uint8_t>& samples : split(picture, sampling)) {
    const bool color = !result.components.empty();
    compressed_component one{
        .width = samples.width,
        .height = samples.height,
        .steps = table_for(color ? component_kind::chrominance : component_kind::luminance, quality),
        .levels = {}};
    one.levels = encode_serial(samples, one.steps);
    result.components.push_back(std::move(one));
  }
  return result;
}

image reconstruct_serial(const compressed_picture& picture) {
  std::vector<plane<std::uint8_t>> planes;
  for (const compressed_component& one : picture.components)
    planes.push_back(decode_serial(one.levels, one.steps, one.width, one.height));
  return joined(planes, picture.width, picture.height, picture.sampling);
}

}  // namespace tutorial

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "compress_serial.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <utility>
#include <vector>

#include "08_dct8x8/host/block_products.hpp"
#include "08_dct8x8/host/dct_serial.hpp"
#include "color.hpp"
#include "ties.hpp"

namespace tutorial {
namespace {

using detail::block;

const block<double>& matrix() {
  static const block<double> a = detail::matrix_as<double>();
  return a;
}
const block<double>& matrix_transposed() {
  static const block<double> a = detail::transposed(matrix());
  return a;
}

/// The block's values as whole numbers, for the exact way.
whole_block whole(const block<double>& values) {
  whole_block result;
  for (std::size_t i = 0; i < 64; ++i) result[i] = std::int32_t(values[i / 8][i % 8]);
  return result;
}

/// Is it so near to m + 1/2 that only whole numbers can say on which side? 8-bit pixels and steps leave a
/// double wrong by less than 1e-9; wherever it is further away than this, it is right.
bool may_be_halfway(double value) { return std::abs(value - std::floor(value) - 0.5) < 1e-6; }

double exactly_halfway(double value) { return std::floor(value) + 0.5; }

/// Calls place(row, col, ratio) for every coefficient.
template <class Place>
void for_each_ratio(const plane<std::uint8_t>& pixels, const quantization_table& steps, const Place& place) {
  for (int top = 0; top < pixels.height; top += 8)
    for (int left = 0; left < pixels.width; left += 8) {
      block<double> x = detail::take_block<double>(pixels, top, left);
      for (auto& row : x)
        for (double& value : row) value -= 128;
      const block<double> c = detail::product(detail::product(matrix(), x), matrix_transposed());
      for (int v = 0; v < 8; ++v)
        for (int u = 0; u < 8; ++u) {
          const int step = steps[std::size_t(8 * v + u)];
          double ratio = c[std::size_t(v)][std::size_t(u)] / step;
          if (may_be_halfway(ratio) && is_tie(exact_coefficient(whole(x), v, u), step))
            ratio = exactly_halfway(ratio);
          place(top + v, left + u, ratio);
        }
    }
}

/// Calls place(row, col, value) for every pixel of the picture.
template <class Place>
void for_each_value(const plane<std::int16_t>& levels, const quantization_table& steps, int width, int height,
                    const Place& place) {
  if (width < 0 || height < 0) throw std::invalid_argument("decode_serial: a negative size");
  detail::require_padded(width, height, levels.width, levels.height);
  for (int top = 0; top < height; top += 8)
    for (int left = 0; left < width; left += 8) {
      block<double> c = detail::take_block<double>(levels, top, left);
      for (std::size_t i = 0; i < 64; ++i) c[i / 8][i % 8] *= steps[i];
      const block<double> x = detail::product(detail::product(matrix_transposed(), c), matrix());
      for (int y = 0; y < std::min(8, height - top); ++y)
        for (int col = 0; col < std::min(8, width - left); ++col) {
          double value = x[std::size_t(y)][std::size_t(col)];
          if (may_be_halfway(value) && is_tie(exact_pixel(whole(c), y, col), 1))
            value = exactly_halfway(value);
          place(top + y, left + col, value + 128);
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

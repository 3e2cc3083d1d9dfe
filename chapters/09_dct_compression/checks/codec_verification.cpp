// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "codec_verification.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "08_dct8x8/checks/dct_verification.hpp"
#include "08_dct8x8/host/dct_serial.hpp"
#include "09_dct_compression/host/block_factors.hpp"
#include "09_dct_compression/host/compress_serial.hpp"
#include "09_dct_compression/kernels/factorized_dct.cuh"

namespace tutorial {
namespace {

constexpr double unit = 0x1p-24;  // half the distance of two floats, relative

/// What is known of a float: that it is at most `error` from a number of at most `size`. Sums of whole
/// numbers that a float can hold are not rounded.
struct bounded {
  double size = 0, error = 0;
  bool whole = false;
};

bounded rounded(double size, double error) { return {size, error + unit * (size + error)}; }

bounded operator+(bounded a, bounded b) {
  const double size = a.size + b.size;
  if (a.whole && b.whole && size < 0x1p24) return {size, 0, true};
  return rounded(size, a.error + b.error);
}
bounded operator-(bounded a) { return a; }
bounded operator-(bounded a, bounded b) { return a + b; }
/// A factor is itself a rounded number.
double scaled_error(bounded a, double factor) { return factor * (a.error + unit * (a.size + a.error)); }
bounded operator*(bounded a, float factor) {
  const double f = std::abs(double(factor));
  return rounded(f * a.size, scaled_error(a, f));
}
bounded multiply_add(bounded a, float factor, bounded b) {
  const double f = std::abs(double(factor));
  return rounded(f * a.size + b.size, scaled_error(a, f) + b.error);
}

/// The bounds are not rounded carefully themselves, and the reference is a double: a millionth for that.
std::array<double, 64> with_reserve(std::array<double, 64> bounds) {
  for (double& bound : bounds) bound = 1e-9 + bound * (1 + 1e-6);
  return bounds;
}

/// sum over the eight places of |A[u][x]|.
double absolute_row(int u) {
  double sum = 0;
  for (const double a : dct_matrix()[std::size_t(u)]) sum += std::abs(a);
  return sum;
}

std::array<double, 64> stepwise_level_bounds(const quantization_table& steps) {
  std::array<double, 64> bounds{};
  for (int v = 0; v < 8; ++v)
    for (int u = 0; u < 8; ++u) {
      const std::size_t i = std::size_t(8 * v + u);
      const double size = 128 * absolute_row(v) * absolute_row(u);
      const double error = 18 * unit * size;
      bounds[i] = (error + unit * (size + error)) / steps[i];
    }
  return with_reserve(bounds);
}

std::array<double, 64> fused_level_bounds(const quantization_table& steps) {
  std::array<bounded, 64> x;
  x.fill({255, 0, true});
  for (int c = 0; c < 8; ++c) dct8_scaled<8>(x.data() + c);
  for (int v = 0; v < 8; ++v) dct8_scaled<1>(x.data() + 8 * v);
  x[0].size = 64 * 128;  // after the level shift, which is exact: the sum of 64 pixels is a whole number
  const block_factors factors = encode_factors(steps);
  std::array<double, 64> bounds{};
  for (std::size_t i = 0; i < 64; ++i) bounds[i] = scaled_error(x[i], double(factors.at[i]));
  return with_reserve(bounds);
}

std::array<double, 64> stepwise_pixel_bounds(std::span<const std::int16_t, 64> levels,
                                             const quantization_table& steps) {
  const dct_matrix_t& a = dct_matrix();
  std::array<double, 64> columns{}, bounds{};  // sum over v of |A[v][y]| |C[v][u]|; level * step is exact
  for (std::size_t v = 0; v < 8; ++v)
    for (std::size_t u = 0; u < 8; ++u) {
      const double size = std::abs(double(levels[8 * v + u])) * steps[8 * v + u];
      for (std::size_t y = 0; y < 8; ++y) columns[8 * y + u] += std::abs(a[v][y]) * size;
    }
  for (std::size_t y = 0; y < 8; ++y)
    for (std::size_t x = 0; x < 8; ++x) {
      double size = 0;
      for (std::size_t u = 0; u < 8; ++u) size += std::abs(a[u][x]) * columns[8 * y + u];
      const double error = 18 * unit * size;
      bounds[8 * y + x] = error + unit * (size + error + 128);  // + 128 rounds once more
    }
  return with_reserve(bounds);
}

std::array<double, 64> fused_pixel_bounds(std::span<const std::int16_t, 64> levels,
                                          const quantization_table& steps) {
  const block_factors factors = decode_factors(steps);
  std::array<bounded, 64> x;
  for (std::size_t i = 0; i < 64; ++i) x[i] = bounded{std::abs(double(levels[i])), 0, true} * factors.at[i];
  x[0] = x[0] + bounded{128, 0, true};
  for (int v = 0; v < 8; ++v) idct8_scaled<1>(x.data() + 8 * v);
  for (int c = 0; c < 8; ++c) idct8_scaled<8>(x.data() + c);
  std::array<double, 64> bounds{};
  for (std::size_t i = 0; i < 64; ++i) bounds[i] = x[i].error;
  return with_reserve(bounds);
}

void require_whole_blocks(const plane<std::int16_t>& levels, int width, int height) {
  if (levels.width != padded(width) || levels.height != padded(height))
    throw std::invalid_argument("the levels are not as many as whole 8x8 blocks need");
}

}  // namespace

std::array<double, 64> level_bounds(const quantization_table& steps, codec_way way) {
  return way == codec_way::fused ? fused_level_bounds(steps) : stepwise_level_bounds(steps);
}

std::array<double, 64> pixel_bounds(std::span<const std::int16_t, 64> levels, const quantization_table& steps,
                                    codec_way way) {
  return way == codec_way::fused ? fused_pixel_bounds(levels, steps) : stepwise_pixel_bounds(levels, steps);
}

namespace {

/// Eight rows from `top`, or as many as there are.
template <class T>
plane<T> strip_of(const plane<T>& all, int top) {
  const int rows = std::min(8, all.height - top);
  const auto begin = all.values.begin() + std::ptrdiff_t(top) * all.width;
  return plane<T>(all.width, rows, {begin, begin + std::ptrdiff_t(rows) * all.width});
}

/// Strip by strip, so that nothing as large as the picture is kept: a double for each value would be eight
/// pictures.
template <class Verify>
codec_agreement by_strips(const plane<std::uint8_t>& pixels, const plane<std::int16_t>& levels, int width,
                          const Verify& verify) {
  require_whole_blocks(levels, pixels.width, pixels.height);
  std::vector<codec_agreement> strips(std::size_t(pixels.height + 7) / 8);
#pragma omp parallel for schedule(static) if (strips.size() >= 64)
  for (int top = 0; top < pixels.height; top += 8)
    strips[std::size_t(top / 8)] = verify(strip_of(pixels, top), strip_of(levels, top));
  codec_agreement all;
  for (std::size_t i = 0; i < strips.size(); ++i) {
    join(all.found, strips[i].found, 8 * i * std::size_t(width));
    all.differing += strips[i].differing;
  }
  return all;
}

codec_agreement verify_level_strip(const plane<std::uint8_t>& pixels, const quantization_table& steps,
                                   const plane<std::int16_t>& levels, const std::array<double, 64>& bounds) {
  const plane<double> expected = unrounded_levels(pixels, steps);
  const std::vector<double> actual(levels.values.begin(), levels.values.end());
  std::vector<double> allowed(actual.size());
  codec_agreement result;
  std::size_t i = 0;
  for (int row = 0; row < levels.height; ++row)
    for (int col = 0; col < levels.width; ++col, ++i) {
      allowed[i] = 0.5 + bounds[std::size_t(8 * (row % 8) + col % 8)];
      result.differing += actual[i] != std::round(expected.values[i]);
    }
  result.found = compare<double>(actual, expected.values, allowed);
  return result;
}

codec_agreement verify_pixel_strip(const plane<std::int16_t>& levels, const quantization_table& steps,
                                   const plane<std::uint8_t>& pixels, codec_way way) {
  plane<double> expected = unrounded_pixels(levels, steps, pixels.width, pixels.height);
  const std::vector<double> actual(pixels.values.begin(), pixels.values.end());
  std::vector<double> allowed(actual.size());
  codec_agreement result;
  for (int top = 0; top < pixels.height; top += 8)
    for (int left = 0; left < pixels.width; left += 8) {
      std::array<std::int16_t, 64> block{};
      for (int i = 0; i < 64; ++i) block[std::size_t(i)] = levels.at(top + i / 8, left + i % 8);
      const std::array<double, 64> bounds = pixel_bounds(block, steps, way);
      for (int i = 0; i < 64; ++i) {
        const int row = top + i / 8, col = left + i % 8;
        if (row >= pixels.height || col >= pixels.width) continue;
        const std::size_t at = std::size_t(row) * std::size_t(pixels.width) + std::size_t(col);
        double& value = expected.values[at];
        value = std::clamp(value, 0.0, 255.0);
        allowed[at] = 0.5 + bounds[std::size_t(i)];
        result.differing += actual[at] != std::floor(value + 0.5);
      }
    }
  result.found = compare<double>(actual, expected.values, allowed);
  return result;
}

}  // namespace

codec_agreement verify_levels(const plane<std::uint8_t>& pixels, const quantization_table& steps,
                              const plane<std::int16_t>& levels, codec_way way) {
  const std::array<double, 64> bounds = level_bounds(steps, way);
  return by_strips(pixels, levels, levels.width, [&](const auto& of_pixels, const auto& of_levels) {
    return verify_level_strip(of_pixels, steps, of_levels, bounds);
  });
}

codec_agreement verify_pixels(const plane<std::int16_t>& levels, const quantization_table& steps,
                              const plane<std::uint8_t>& pixels, codec_way way) {
  return by_strips(pixels, levels, pixels.width, [&](const auto& of_pixels, const auto& of_levels) {
    return verify_pixel_strip(of_levels, steps, of_pixels, way);
  });
}

}  // namespace tutorial

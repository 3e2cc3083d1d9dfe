// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "block_factors.hpp"

#include <array>
#include <cmath>
#include <numbers>

namespace tutorial {

double aan_scale(int k) { return k == 0 ? 1 : std::numbers::sqrt2 * std::cos(k * std::numbers::pi / 16); }

namespace {

/// s(v) s(u) step.
std::array<double, 64> scaled(const quantization_table& steps) {
  static const std::array<double, 64> scale = [] {
    std::array<double, 64> products{};
    for (int i = 0; i < 64; ++i) products[std::size_t(i)] = aan_scale(i / 8) * aan_scale(i % 8);
    return products;
  }();
  std::array<double, 64> result{};
  for (std::size_t i = 0; i < 64; ++i) result[i] = scale[i] * steps[i];
  return result;
}

}  // namespace

// [factors]
block_factors encode_factors(const quantization_table& steps) {
  const std::array<double, 64> scaled_steps = scaled(steps);
  block_factors factors{};
  for (int i = 0; i < 64; ++i) factors.at[i] = float(1 / (8 * scaled_steps[std::size_t(i)]));
  return factors;
}

block_factors decode_factors(const quantization_table& steps) {
  const std::array<double, 64> scaled_steps = scaled(steps);
  block_factors factors{};
  for (int i = 0; i < 64; ++i) factors.at[i] = float(scaled_steps[std::size_t(i)] / 8);
  return factors;
}
// [factors]

block_factors plain_factors(const quantization_table& steps) {
  block_factors factors{};
  for (int i = 0; i < 64; ++i) factors.at[i] = steps[std::size_t(i)];
  return factors;
}

}  // namespace tutorial

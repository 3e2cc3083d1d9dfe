// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "quantization.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace tutorial {
namespace {

// clang-format off
/// ITU-T T.81, table K.1: for brightness. Row v, column u: small steps at the upper left, where waves are
/// long.
constexpr quantization_table luminance = {
  16,  11,  10,  16,  24,  40,  51,  61,
  12,  12,  14,  19,  26,  58,  60,  55,
  14,  13,  16,  24,  40,  57,  69,  56,
  14,  17,  22,  29,  51,  87,  80,  62,
  18,  22,  37,  56,  68, 109, 103,  77,
  24,  35,  55,  64,  81, 104, 113,  92,
  49,  64,  78,  87, 103, 121, 120, 101,
  72,  92,  95,  98, 112, 100, 103,  99};

/// ITU-T T.81, table K.2: for color.
constexpr quantization_table chrominance = {
  17,  18,  24,  47,  99,  99,  99,  99,
  18,  21,  26,  66,  99,  99,  99,  99,
  24,  26,  56,  99,  99,  99,  99,  99,
  47,  66,  99,  99,  99,  99,  99,  99,
  99,  99,  99,  99,  99,  99,  99,  99,
  99,  99,  99,  99,  99,  99,  99,  99,
  99,  99,  99,  99,  99,  99,  99,  99,
  99,  99,  99,  99,  99,  99,  99,  99};
// clang-format on

}  // namespace

// [scaling]
quantization_table table_for(component_kind kind, int quality) {
  if (quality < 1 || quality > 100)
    throw std::invalid_argument("table_for: quality " + std::to_string(quality) + "; it must be 1 to 100");
  const int percentage = quality < 50 ? 5000 / quality : 200 - 2 * quality;
  quantization_table steps = kind == component_kind::luminance ? luminance : chrominance;
  for (std::uint16_t& step : steps) step = std::uint16_t(std::clamp((step * percentage + 50) / 100, 1, 255));
  return steps;
}
// [scaling]

const std::array<std::uint8_t, 64>& zigzag_order() {
  static const std::array<std::uint8_t, 64> order = [] {
    std::array<std::uint8_t, 64> path{};
    std::size_t i = 0;
    for (int sum = 0; sum < 15; ++sum)  // the anti-diagonals v + u = sum, upwards where the sum is even
      for (int k = std::max(0, sum - 7); k <= std::min(sum, 7); ++k) {
        const int u = sum % 2 == 0 ? k : sum - k, v = sum - u;
        path[i++] = std::uint8_t(8 * v + u);
      }
    return path;
  }();
  return order;
}

}  // namespace tutorial

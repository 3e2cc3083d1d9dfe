// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "ties.hpp"

#include <cmath>
#include <cstddef>
#include <numbers>

#include "08_dct8x8/host/dct_serial.hpp"

namespace tutorial {
namespace {

/// cos(angle pi/16) = sign * cos(index pi/16) with an index of 0 to 7; the sign is 0 for cos(pi/2).
struct one_cosine {
  int index, sign;
};

constexpr one_cosine folded(int angle) {
  angle %= 32;  // a whole turn
  if (angle < 0) angle += 32;
  if (angle > 16) angle = 32 - angle;      // cos(2 pi - a) = cos a
  if (angle > 8) return {16 - angle, -1};  // cos(pi - a) = -cos a
  return {angle % 8, angle == 8 ? 0 : 1};
}

// [products]
/// A[u][x] = 1/2 cos(angle pi/16), also for u = 0: sqrt(1/8) = 1/2 cos(4 pi/16).
constexpr int angle_of(int u, int x) { return u == 0 ? 4 : (2 * x + 1) * u; }

/// Adds 8 * factor * A[v][y] A[u][x] = factor (cos(a + b) + cos(a - b)).
void add(cosine_sum& sum, std::int64_t factor, int v, int y, int u, int x) {
  const int a = angle_of(v, y), b = angle_of(u, x);
  for (const one_cosine one : {folded(a + b), folded(a - b)})
    sum[std::size_t(one.index)] += one.sign * factor;
}
// [products]

}  // namespace

cosine_sum exact_coefficient(const whole_block& pixels, int v, int u) {
  cosine_sum sum{};
  for (int y = 0; y < 8; ++y)
    for (int x = 0; x < 8; ++x) add(sum, pixels[std::size_t(8 * y + x)], v, y, u, x);
  return sum;
}

cosine_sum exact_pixel(const whole_block& coefficients, int y, int x) {
  cosine_sum sum{};
  for (int v = 0; v < 8; ++v)
    for (int u = 0; u < 8; ++u) {
      const std::int64_t coefficient = coefficients[std::size_t(8 * v + u)];
      if (coefficient != 0) add(sum, coefficient, v, y, u, x);  // most are zero
    }
  return sum;
}

double value_of(const cosine_sum& sum) {
  double value = double(sum[0]);
  for (std::size_t j = 1; j < 8; ++j) value += double(sum[j]) * std::cos(double(j) * std::numbers::pi / 16);
  return value / 8;
}

// [tie]
bool is_tie(const cosine_sum& value, int step) {
  for (std::size_t j = 1; j < 8; ++j)
    if (value[j] != 0) return false;
  // n[0] / 8 == (m + 1/2) step, that is n[0] == 4 step (2 m + 1): an odd multiple of 4 step.
  return value[0] % (4 * step) == 0 && value[0] / (4 * step) % 2 != 0;
}
// [tie]

bool has_tie(const whole_block& pixels, const quantization_table& steps) {
  for (int i = 0; i < 64; ++i)
    if (is_tie(exact_coefficient(pixels, i / 8, i % 8), steps[std::size_t(i)])) return true;
  return false;
}

}  // namespace tutorial

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "emulator/math/small_floats.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace cuda_emulator {
namespace {

struct layout {
  int fraction_bits, lowest_exponent, highest_exponent;  // exponents of normal numbers
};
layout of(small_format format) {
  return format == small_format::half ? layout{10, -14, 15} : layout{7, -126, 127};
}

}  // namespace

std::uint16_t small_from(small_format format, double x, rounding direction) {
  const auto [fraction_bits, lowest, highest] = of(format);
  const unsigned infinity = static_cast<unsigned>(highest - lowest + 2) << fraction_bits;
  if (std::isnan(x)) return 0x7fff;
  const bool negative = std::signbit(x);
  const unsigned sign = negative ? 0x8000 : 0;
  const double size = std::fabs(x);
  if (size == 0) return static_cast<std::uint16_t>(sign);
  if (std::isinf(size)) return static_cast<std::uint16_t>(sign | infinity);
  const bool away = (direction == rounding::up && !negative) || (direction == rounding::down && negative);
  const int exponent = std::max(std::ilogb(size), lowest);
  unsigned bits = infinity;
  if (exponent <= highest) {
    // In units of the last place; what lies behind it decides how to round.
    const double scaled = std::ldexp(size, fraction_bits - exponent), whole = std::floor(scaled);
    const double rest = scaled - whole;
    bits = static_cast<unsigned>(whole) + (static_cast<unsigned>(exponent - lowest) << fraction_bits);
    if (direction == rounding::nearest ? rest > 0.5 || (rest == 0.5 && (bits & 1) != 0) : away && rest > 0)
      ++bits;
  } else if (direction != rounding::nearest && !away) {
    bits = infinity - 1;
  }
  return static_cast<std::uint16_t>(sign | bits);
}

double small_value(small_format format, std::uint16_t bits) {
  const auto [fraction_bits, lowest, highest] = of(format);
  const int exponent = (bits & 0x7fff) >> fraction_bits, fraction = bits & ((1 << fraction_bits) - 1);
  double size;
  if (exponent == highest - lowest + 2)
    size = fraction != 0 ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
  else if (exponent == 0)
    size = std::ldexp(fraction, lowest - fraction_bits);
  else
    size = std::ldexp(fraction + (1 << fraction_bits), exponent - 1 + lowest - fraction_bits);
  return (bits & 0x8000) != 0 ? -size : size;
}

double fused_for_small(double a, double b, double c) {
  const double product = a * b, sum = product + c;  // the product is exact
  if (!std::isfinite(sum)) return sum;
  const double c_part = sum - product, rest = (product - (sum - c_part)) + (c - c_part);
  if (rest == 0) return sum;
  // Rounded to odd: the last bit is set where there is more.
  std::uint64_t bits = std::bit_cast<std::uint64_t>(sum);
  if ((rest > 0) != (sum > 0)) --bits;
  return std::bit_cast<double>(bits | 1);
}

}  // namespace cuda_emulator

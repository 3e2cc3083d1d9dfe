// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "roots.hpp"

#include <cmath>
#include <numbers>

namespace tutorial {

std::complex<double> root_of_unity(long numerator, long denominator) {
  // An eighth of a turn at a time: cos and sin of small angles have small errors, and quarters are exact.
  const long eighths = (8 * numerator) / denominator - (8 * numerator % denominator < 0 ? 1 : 0);
  const long quarter = ((eighths + 1) >> 1) & 3;
  const long rest = 4 * numerator - ((eighths + 1) >> 1) * denominator;  // of 4 denominators
  const double angle = std::numbers::pi / 2 * double(rest) / double(denominator);
  const std::complex<double> small(std::cos(angle), std::sin(angle));
  switch (quarter) {
    case 0:
      return small;
    case 1:
      return {-small.imag(), small.real()};
    case 2:
      return -small;
    default:
      return {small.imag(), -small.real()};
  }
}

}  // namespace tutorial

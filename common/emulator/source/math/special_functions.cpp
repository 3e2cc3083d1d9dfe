// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "emulator/math/special_functions.hpp"

#include <limits>

namespace cuda_emulator {
namespace {

constexpr double two_over_root_pi = 1.12837916709551257390;

/// For 0 < y <= 1: the x with erfc(x) = y. A rough start (Abramowitz and Stegun, 26.2.23), and Halley's
/// steps.
double inverse_erfc_below_one(double y) {
  const double t = std::sqrt(-2 * std::log(y / 2));
  double x = (t - (2.515517 + t * (0.802853 + t * 0.010328)) /
                      (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)))) /
             std::sqrt(2.0);
  for (int i = 0; i < 3; ++i) {
    const double error = (std::erfc(x) - y) / (two_over_root_pi * std::exp(-x * x));
    x += error / (1 + x * error);
  }
  return x;
}

}  // namespace

double inverse_erfc(double y) {
  if (!(y >= 0 && y <= 2)) return std::numeric_limits<double>::quiet_NaN();
  if (y == 0) return std::numeric_limits<double>::infinity();
  if (y == 2) return -std::numeric_limits<double>::infinity();
  return y <= 1 ? inverse_erfc_below_one(y) : -inverse_erfc_below_one(2 - y);
}

double inverse_erf(double x) {
  if (!(std::fabs(x) <= 1)) return std::numeric_limits<double>::quiet_NaN();
  if (std::fabs(x) == 1) return std::copysign(std::numeric_limits<double>::infinity(), x);
  if (std::fabs(x) > 0.5) return std::copysign(inverse_erfc(1 - std::fabs(x)), x);
  // Near 0 the difference to 1 would lose what x says: the same steps with erf().
  double result = x / two_over_root_pi;
  for (int i = 0; i < 4; ++i) {
    const double error = (std::erf(result) - x) / (two_over_root_pi * std::exp(-result * result));
    result -= error / (1 + result * error);
  }
  return result;
}

double scaled_erfc(double x) {
  if (x < 10) {
    // exp(x * x) with the rounding error of the square.
    const double square = x * x, rest = std::fma(x, x, -square);
    const double value = std::exp(square) * std::erfc(x);
    return std::isfinite(value) ? value + value * rest : value;
  }
  if (x > 1e8) return two_over_root_pi / 2 / x;
  // The asymptotic series: each term is the last one times -(2k - 1) / (2 x^2).
  double term = 1, sum = 1;
  for (int k = 1; k < 40 && std::fabs(term) > 1e-17; ++k) sum += term *= -(2 * k - 1) / (2 * x * x);
  return two_over_root_pi / 2 / x * sum;
}

double bessel_i(int order, double x) {
  const double value = std::cyl_bessel_i(order, std::fabs(x));
  return x < 0 && order % 2 == 1 ? -value : value;
}

}  // namespace cuda_emulator

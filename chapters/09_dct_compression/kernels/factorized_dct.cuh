// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The DCT of 8 values up to a factor for each frequency, and its inverse: 5 multiplications and 29
// additions, after Arai, Agui and Nakajima, "A Fast DCT-SQ Scheme for Images", Transactions of the IEICE E71
// (1988); 30 instructions where one multiplies and adds. The factors are left to whoever multiplies next:
// the quantizer, in whose steps they hide (block_factors.hpp).
#pragma once

#include <cuda_runtime.h>

#include <cmath>
#include <numbers>

namespace tutorial {

namespace aan {

/// sqrt(x) by Newton's method from above, for the compiler to evaluate.
constexpr double root(double x) {
  double r = x < 1 ? 1 : x;
  for (double next = (r + x / r) / 2; next < r; next = (r + x / r) / 2) r = next;
  return r;
}

constexpr double half_root = std::numbers::sqrt2 / 2;       // cos(4 pi/16)
constexpr double cos2 = root(2 + std::numbers::sqrt2) / 2;  // cos(2 pi/16)
constexpr double cos6 = root(2 - std::numbers::sqrt2) / 2;  // cos(6 pi/16)

}  // namespace aan

/// a b + c, rounded once.
__device__ __host__ __forceinline__ float multiply_add(float a, float b, float c) { return fmaf(a, b, c); }

// [forward]
/// x[u * Stride] = 2 sqrt(2) s(u) times the DCT of the eight x[i * Stride], s(0) = 1, s(u) = sqrt(2) cos(u
/// pi/16). Sums and differences of the two ends, again and again: even frequencies need only the sums, odd
/// ones the differences.
template <int Stride, class T>
__device__ __host__ __forceinline__ void dct8_scaled(T* x) {
  const T sum0 = x[0] + x[7 * Stride], difference0 = x[0] - x[7 * Stride];
  const T sum1 = x[Stride] + x[6 * Stride], difference1 = x[Stride] - x[6 * Stride];
  const T sum2 = x[2 * Stride] + x[5 * Stride], difference2 = x[2 * Stride] - x[5 * Stride];
  const T sum3 = x[3 * Stride] + x[4 * Stride], difference3 = x[3 * Stride] - x[4 * Stride];

  const T outer = sum0 + sum3, inner = sum1 + sum2;  // four values of half the length, and so on
  const T outer_difference = sum0 - sum3, inner_difference = sum1 - sum2;
  const T turned = outer_difference + inner_difference;
  x[0] = outer + inner;
  x[4 * Stride] = outer - inner;
  x[2 * Stride] = multiply_add(turned, float(aan::half_root), outer_difference);
  x[6 * Stride] = multiply_add(turned, float(-aan::half_root), outer_difference);

  const T a = difference3 + difference2, b = difference2 + difference1, c = difference1 + difference0;
  const T shared =
      (a - c) * float(aan::cos6);  // a rotation of (a, c) in three multiplications instead of four
  const T a_turned = multiply_add(a, float(aan::cos2 - aan::cos6), shared);
  const T c_turned = multiply_add(c, float(aan::cos2 + aan::cos6), shared);
  const T plus = multiply_add(b, float(aan::half_root), difference0);
  const T minus = multiply_add(b, float(-aan::half_root), difference0);
  x[Stride] = plus + c_turned;
  x[7 * Stride] = plus - c_turned;
  x[5 * Stride] = minus + a_turned;
  x[3 * Stride] = minus - a_turned;
}
// [forward]

// [inverse]
/// The eight values whose DCT is 2 sqrt(2) / s(u) times x[u * Stride]: the way through dct8_scaled()
/// backwards.
template <int Stride, class T>
__device__ __host__ __forceinline__ void idct8_scaled(T* x) {
  const T even_sum = x[0] + x[4 * Stride], even_difference = x[0] - x[4 * Stride];
  const T middle = x[2 * Stride] + x[6 * Stride];
  const T turned = multiply_add(x[2 * Stride] - x[6 * Stride], float(std::numbers::sqrt2), -middle);
  const T even0 = even_sum + middle, even3 = even_sum - middle;
  const T even1 = even_difference + turned, even2 = even_difference - turned;

  const T sum53 = x[5 * Stride] + x[3 * Stride], difference53 = x[5 * Stride] - x[3 * Stride];
  const T sum17 = x[Stride] + x[7 * Stride], difference17 = x[Stride] - x[7 * Stride];
  const T odd0 = sum17 + sum53;
  const T shared = (difference53 + difference17) * float(2 * aan::cos2);
  const T a_turned = multiply_add(difference53, float(-2 * (aan::cos2 + aan::cos6)), shared);
  const T c_turned = multiply_add(difference17, float(-2 * (aan::cos2 - aan::cos6)), shared);
  const T odd1 = a_turned - odd0;
  const T odd2 = multiply_add(sum17 - sum53, float(std::numbers::sqrt2), -odd1);
  const T odd3 = c_turned - odd2;

  x[0] = even0 + odd0;
  x[7 * Stride] = even0 - odd0;
  x[Stride] = even1 + odd1;
  x[6 * Stride] = even1 - odd1;
  x[2 * Stride] = even2 + odd2;
  x[5 * Stride] = even2 - odd2;
  x[3 * Stride] = even3 + odd3;
  x[4 * Stride] = even3 - odd3;
}
// [inverse]

}  // namespace tutorial

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The DCT of eight values that one thread holds in registers.
#pragma once

#include "dct_table.cuh"

namespace tutorial {

// ck = 1/2 cos(k pi / 16): but for signs, A holds no other values.
constexpr float c1 = float(0.5 * cosine_of_sixteenths(1)), c2 = float(0.5 * cosine_of_sixteenths(2)),
                c3 = float(0.5 * cosine_of_sixteenths(3)), c4 = float(0.5 * cosine_of_sixteenths(4)),
                c5 = float(0.5 * cosine_of_sixteenths(5)), c6 = float(0.5 * cosine_of_sixteenths(6)),
                c7 = float(0.5 * cosine_of_sixteenths(7));

// [transform]
/// x becomes A x. Waves of even frequency are symmetric about the middle, those of odd frequency
/// antisymmetric: even waves need only sums of values that mirror each other, odd waves only differences.
/// That leaves 22 of 64 products.
__device__ __forceinline__ void dct8(float (&x)[8]) {
  const float s0 = x[0] + x[7], s1 = x[1] + x[6], s2 = x[2] + x[5], s3 = x[3] + x[4];
  const float d0 = x[0] - x[7], d1 = x[1] - x[6], d2 = x[2] - x[5], d3 = x[3] - x[4];
  // The even half is a DCT of four values, and falls into halves once more.
  const float e0 = s0 + s3, e1 = s1 + s2, f0 = s0 - s3, f1 = s1 - s2;
  x[0] = c4 * (e0 + e1);
  x[4] = c4 * (e0 - e1);
  x[2] = c2 * f0 + c6 * f1;
  x[6] = c6 * f0 - c2 * f1;
  x[1] = c1 * d0 + c3 * d1 + c5 * d2 + c7 * d3;
  x[3] = c3 * d0 - c7 * d1 - c1 * d2 - c5 * d3;
  x[5] = c5 * d0 - c1 * d1 + c7 * d2 + c3 * d3;
  x[7] = c7 * d0 - c5 * d1 + c3 * d2 - c1 * d3;
}

/// x becomes A^T x: every step in reverse.
__device__ __forceinline__ void idct8(float (&x)[8]) {
  const float p = c4 * (x[0] + x[4]), m = c4 * (x[0] - x[4]);
  const float f0 = c2 * x[2] + c6 * x[6], f1 = c6 * x[2] - c2 * x[6];
  const float s0 = p + f0, s1 = m + f1, s2 = m - f1, s3 = p - f0;  // half of the sums of dct8()
  const float d0 = c1 * x[1] + c3 * x[3] + c5 * x[5] + c7 * x[7];
  const float d1 = c3 * x[1] - c7 * x[3] - c1 * x[5] - c5 * x[7];
  const float d2 = c5 * x[1] - c1 * x[3] + c7 * x[5] + c3 * x[7];
  const float d3 = c7 * x[1] - c5 * x[3] + c3 * x[5] - c1 * x[7];
  x[0] = s0 + d0, x[7] = s0 - d0;
  x[1] = s1 + d1, x[6] = s1 - d1;
  x[2] = s2 + d2, x[5] = s2 - d2;
  x[3] = s3 + d3, x[4] = s3 - d3;
}
// [transform]

}  // namespace tutorial

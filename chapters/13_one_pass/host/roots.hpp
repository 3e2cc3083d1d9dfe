// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Roots of unity and bit reversal: what kernels and host agree on.
#pragma once

#include <cuda_runtime.h>

#include <complex>

namespace tutorial {

/// log2 of a power of two.
__host__ __device__ constexpr int log2_of(int power) { return power <= 1 ? 0 : 1 + log2_of(power / 2); }

/// The lowest `bits` bits of `value` in reverse order.
__host__ __device__ constexpr int reversed(int value, int bits) {
  int result = 0;
  for (int i = 0; i < bits; ++i) result |= (value >> i & 1) << (bits - 1 - i);
  return result;
}

/// cos(2 pi turn / 32), for any whole number `turn`, to the last bit of a double.
__host__ __device__ constexpr double cosine_of_32(int turn) {
  constexpr double first_quarter[9] = {1.0,
                                       0.98078528040323044913,
                                       0.92387953251128675613,
                                       0.83146961230254523708,
                                       0.70710678118654752440,
                                       0.55557023301960222474,
                                       0.38268343236508977173,
                                       0.19509032201612826785,
                                       0.0};
  turn &= 31;
  if (turn > 16) turn = 32 - turn;
  return turn <= 8 ? first_quarter[turn] : -first_quarter[16 - turn];
}

/// exp(2 pi i numerator / denominator), computed in double from an angle of at most an eighth of a turn.
std::complex<double> root_of_unity(long numerator, long denominator);

}  // namespace tutorial

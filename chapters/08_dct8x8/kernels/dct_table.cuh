// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The matrix A in float, computed by the compiler from its formula: no program has to copy it to the device,
// and no digit can be mistyped.
#pragma once

#include <numbers>

namespace tutorial {

/// cos(k pi / 16) for whole k, |k| <= 105.
constexpr double cosine_of_sixteenths(int k) {
  k = (k < 0 ? -k : k) % 32;  // a whole turn
  if (k > 16) k = 32 - k;
  if (k == 8) return 0;
  if (k > 8) return -cosine_of_sixteenths(16 - k);
  // Taylor's series. At most pi / 2 remains, where the terms after the twelfth are below the last bit.
  const double angle = k * std::numbers::pi / 16;
  double term = 1, sum = 1;
  for (int n = 1; n <= 12; ++n) {
    term *= -angle * angle / ((2 * n - 1) * (2 * n));
    sum += term;
  }
  return sum;
}

struct dct_table {
  float a[8][8];  // (frequency, place)
};

/// A[u][x] = c(u) cos((2x + 1) u pi / 16), each rounded to the nearest float.
constexpr dct_table make_dct_table() {
  dct_table table{};
  for (int u = 0; u < 8; ++u)
    for (int x = 0; x < 8; ++x)
      // c(0) = sqrt(1/8) is half of cos(4 pi / 16).
      table.a[u][x] = float(0.5 * cosine_of_sixteenths(u == 0 ? 4 : (2 * x + 1) * u));
  return table;
}

}  // namespace tutorial

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "dct_serial.hpp"

#include <cmath>
#include <numbers>

namespace tutorial {

const dct_matrix_t& dct_matrix() {
  static const dct_matrix_t matrix = [] {
    dct_matrix_t a{};
    for (int u = 0; u < 8; ++u)
      for (int x = 0; x < 8; ++x)
        a[u][x] = (u == 0 ? std::sqrt(0.125) : 0.5) * std::cos((2 * x + 1) * u * std::numbers::pi / 16);
    return a;
  }();
  return matrix;
}

}  // namespace tutorial

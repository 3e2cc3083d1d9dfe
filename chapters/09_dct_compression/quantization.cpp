// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "quantization.hpp"

namespace tutorial {

const std::array<std::uint8_t, 64>& zigzag_order() {
  static const std::array<std::uint8_t, 64> order = [] {
    std::array<std::uint8_t, 64> path{};
    int i = 0;
    for (int sum = 0; sum < 15; ++sum)  // the anti-diagonals, upwards and downwards in turn
      for (int step = 0; step < 8; ++step) {
        const int v = sum % 2 == 0 ? sum - step : step, u = sum - v;
        if (sum % 2 == 0 ? (v < 8 && v >= 0 && u < 8) : (u < 8 && u >= 0 && v < 8))
          path[i++] = std::uint8_t(8 * v + u);
      }
    return path;
  }();
  return order;
}

}  // namespace tutorial

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "filter_serial.hpp"

#include <algorithm>
#include <stdexcept>

namespace tutorial {

// [definition]
plane<double> filter_definition(const plane<float>& x) {
  constexpr int r = filter_radius;
  plane<double> y(x.width, x.height);
#pragma omp parallel for schedule(static)
  for (int row = 0; row < x.height; ++row)
    for (int col = 0; col < x.width; ++col) {
      double sum = 0;
      for (int j = 0; j <= 2 * r; ++j)
        for (int i = 0; i <= 2 * r; ++i)
          sum +=
              double(filter_taps[j]) * double(filter_taps[i]) *
              double(x.at(std::clamp(row + r - j, 0, x.height - 1), std::clamp(col + r - i, 0, x.width - 1)));
      y.at(row, col) = sum;
    }
  return y;
}
// [definition]

agreement verify_filter(const plane<float>& x, const plane<float>& y) {
  if (x.width != y.width || x.height != y.height) throw std::invalid_argument("verify_filter: sizes differ");
  return compare<double>(std::vector<double>(y.values.begin(), y.values.end()), filter_definition(x).values);
}

}  // namespace tutorial

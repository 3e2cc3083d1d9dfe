// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Exercise 1: correlation, the sibling of convolution.

#include "correlate.hpp"

#include <cstddef>

namespace tutorial {

void correlate(std::span<const float> x, std::span<const float> h, std::span<float> y) {
  const auto samples = std::ssize(x), taps = std::ssize(h);
  for (std::ptrdiff_t i = 0; i < std::ssize(y); ++i) {
    float sum = 0;
    for (std::ptrdiff_t k = 0; k < taps; ++k) {
      // TODO: which sample does tap k meet? if there is one, add the product (about 2 lines)
      const std::ptrdiff_t m = i - k;  // this convolves
      if (0 <= m && m < samples) sum += h[k] * x[m];
    }
    y[i] = sum;
  }
}

}  // namespace tutorial

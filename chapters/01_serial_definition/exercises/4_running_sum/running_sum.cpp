// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Exercise 4: equal taps need no products, and hardly any sums.
#include "running_sum.hpp"

namespace tutorial {

void running_sum(std::span<const counted> x, std::size_t taps, std::span<counted> y) {
  counted sum;
  for (std::size_t n = 0; n < y.size(); ++n) {
    // TODO: from output to output a sample comes in and one goes out, if any (about 2 lines)
    sum = counted{};
    for (std::size_t k = 0; k < taps; ++k)
      if (k <= n && n - k < x.size()) sum += x[n - k];
    y[n] = sum;
  }
}

}  // namespace tutorial

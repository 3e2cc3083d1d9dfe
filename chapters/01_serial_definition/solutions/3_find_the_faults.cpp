// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Exercise 3: scattering on a ring, with three faults.

#include "find_the_faults.hpp"

#include <algorithm>
#include <cstddef>

namespace tutorial {

void convolve_ring(std::span<const float> x, std::span<const float> h, std::span<float> y) {
  const auto samples = std::ssize(x), taps = std::ssize(h);
  // SOLUTION: three faults are in these lines (about 6 lines)
  // STARTER: const std::ptrdiff_t middle = taps / 2;
  // STARTER: for (std::ptrdiff_t m = 0; m < samples; ++m)
  // STARTER:   for (std::ptrdiff_t k = 0; k < taps; ++k) y[(m + k - middle) % samples] += h[k] * x[m];
  const std::ptrdiff_t middle =
      (taps - 1) / 2;          // with an even number of taps, the first of the two in the middle
  std::ranges::fill(y, 0.0f);  // scattering adds to what is there
  for (std::ptrdiff_t m = 0; m < samples; ++m)
    for (std::ptrdiff_t k = 0; k < taps; ++k) {
      const std::ptrdiff_t i = (m + k - middle) % samples;  // in C++ -1 % 24 is -1
      y[i < 0 ? i + samples : i] += h[k] * x[m];
    }
  // END SOLUTION
}

}  // namespace tutorial

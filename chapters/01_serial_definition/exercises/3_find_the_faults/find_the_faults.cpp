// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Exercise 3: scattering on a ring, with three faults.

#include "find_the_faults.hpp"

#include <algorithm>
#include <cstddef>

namespace tutorial {

void convolve_ring(std::span<const float> x, std::span<const float> h, std::span<float> y) {
  const auto samples = std::ssize(x), taps = std::ssize(h);
  // TODO: three faults are in these lines (about 6 lines)
  const std::ptrdiff_t middle = taps / 2;
  for (std::ptrdiff_t m = 0; m < samples; ++m)
    for (std::ptrdiff_t k = 0; k < taps; ++k) y[(m + k - middle) % samples] += h[k] * x[m];
}

}  // namespace tutorial

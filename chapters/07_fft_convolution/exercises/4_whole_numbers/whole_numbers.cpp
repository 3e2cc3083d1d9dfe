// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Exercise 4: when is a convolution of whole numbers by transforms exact?

#include "whole_numbers.hpp"

#include <algorithm>
#include <cmath>

#include "07_fft_convolution/host/fft_rounding.hpp"

namespace tutorial {

bool exact_in_double(double x_most, double h_most, std::size_t samples, std::size_t taps,
                     std::size_t length) {
  const double u = 0x1p-53, e = transform_error<double>(length);
  // TODO: the largest sum; the norms of the largest numbers; then the bound (about 6 lines)
  return x_most * h_most * double(samples + taps) * (e + u) < double(length);
}

}  // namespace tutorial

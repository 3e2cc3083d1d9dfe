// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace tutorial {

/// Whole numbers, |x[n]| <= x_most and |h[k]| <= h_most, N samples, K taps. May they be convolved by a
/// transform of `length` doubles, and every output rounded to the nearest whole number, so that the result is
/// exact whatever the numbers are? Two things must hold: every sum, K or N products, is a whole number that a
/// double holds (below 2^53); and the bound of this chapter, computed from norms that are as large as they
/// can be, is below one half.
bool exact_in_double(double x_most, double h_most, std::size_t samples, std::size_t taps, std::size_t length);

}  // namespace tutorial

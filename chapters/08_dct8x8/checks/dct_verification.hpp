// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Is a transform right? Every value against the definition in double precision, to a derived bound.
//
// The bound. A transform in float is a sum of 64 terms A[v][y] A[u][x] X[y][x], and each term has passed
// through at most 2 (1 + 8) roundings: for columns and for rows one to make A a float, one for the product,
// and at most seven for adding up eight terms. The even and odd halves of dct8() are shorter ways to the
// same sums. So to first order in 2^-24 the error is at most
//     18 * 2^-24 * sum over y, x of |A[v][y]| |A[u][x]| |X[y][x]|
// (N. J. Higham, Accuracy and Stability of Numerical Algorithms, section 3.1), whatever the order, with or
// without FMA. 0.01 % is added for the higher orders and the rounding of the reference itself, and 64 of the
// smallest numbers for what underflows.
#pragma once

#include "common/device/plane.hpp"
#include "common/verify/compare.hpp"

namespace tutorial {

/// Are these the coefficients of the pixels? On all cores; nothing as large as the picture is kept.
/// Throws std::invalid_argument if the sizes do not fit.
agreement verify_dct8x8(const plane<float>& pixels, const plane<float>& coefficients);
/// Are these the pixels of the coefficients?
agreement verify_idct8x8(const plane<float>& coefficients, const plane<float>& pixels);
/// Are these the pixels again, after both ways in float? The errors of the coefficients come back through A^T
/// and A, and those of the way back are added.
agreement verify_round_trip(const plane<float>& pixels, const plane<float>& again);

/// Adds to `all` what was found in the elements that begin at `offset`: for verifying a picture piece by
/// piece.
void join(agreement& all, agreement later, std::size_t offset);

}  // namespace tutorial

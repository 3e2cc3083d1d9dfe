// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// How far rounding can take a convolution by transforms from the exact one.
//
// Norms: |v| is the Euclidean norm, |v|_1 the sum of magnitudes. u = 2^-24 (float) or 2^-53 (double): what
// one rounding may do to a number near 1.
//
// 1. A transform of L samples goes through stages, one for each prime factor of L. The computed spectrum X'
//    has
//      |X' - X| <= e |X|,  e = the sum of e_p over the prime factors p of L,
//    to first order in u, with e_2 = u + 4 sqrt(2) u: N. J. Higham, Accuracy and Stability of Numerical
//    Algorithms, 2nd edition, theorem 24.2 (roots of unity rounded correctly). A stage of an odd p is a
//    product with a matrix sqrt(p) times unitary, whose sums of p complex products err by sqrt(2) (p + 2) u
//    of the sum of their magnitudes (section 3.6), so e_p = u + sqrt(2 p) (p + 2) u is enough. For powers of
//    two, e = log2(L) e_2.
// 2. |X| = sqrt(L) |x|, and likewise for h. The product of the computed spectra is off by D, and by
//    Cauchy-Schwarz
//      |D|_1 <= (2 e + 4 u) |X| |H| = (2 e + 4 u) L |x| |h|:
//    3 u of it for a complex product and one more for the scale 1 / L. Transformed back exactly, that is at
//    most |D|_1 / L in each output.
// 3. The way back errs by e |y|, in any one output at most by all of that.
//
// Together, each output is within
//      (2 e + 4 u) |x| |h| + e |y|
// of the exact one.
//
// 4. All outputs together: no |H_k| is above |h|_1, and no computed H_k is off by more than e |h|_1, for
//    each tap comes to it on one path, a root of unity and a sum of p terms per stage: (p + 3) u <= e_p
//    each. So |D| <= (2 e + 4 u) |h|_1 |X|, and with |y| <= |h|_1 |x| they are within
//      (3 e + 4 u) |x| |h|_1
//    in the Euclidean norm. For a transform of blocks, x and y are those of one block.
//
// What is assumed of a library whose source is closed: transforms that go through such stages, in any order,
// with roots of unity rounded correctly. Taking packed halves apart, in our own product, is counted as one
// more stage of each of the three transforms and not derived by itself.
#pragma once

#include <cstddef>
#include <span>

#include "common/verify/compare.hpp"

namespace tutorial {

/// e for a transform of that many samples. Real ones that are packed in pairs count as they are: taking the
/// two halves apart is counted as a stage. T is float or double; the length has no prime factor above 7.
template <class T>
double transform_error(std::size_t length);

/// The bounds above for y = h * x with transforms of `block` samples. `expected` is the exact y, or one by a
/// sum; it may be empty, then the bound of single outputs is wider. `one_block`: the transform holds all of
/// x.
template <class T>
rounding_allowance fft_rounding(std::span<const T> x, std::span<const T> h, std::span<const T> expected,
                                std::size_t block, bool one_block);

}  // namespace tutorial

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The 8x8 DCT on the host: its definition, the same as two matrix products, and the inverse of each.
#pragma once

#include <array>

#include "common/device/plane.hpp"

namespace tutorial {

/// n rounded up to whole 8x8 blocks.
constexpr int padded(int n) { return (n + 7) / 8 * 8; }

/// A[u][x] = c(u) cos((2x + 1) u pi / 16),  c(0) = sqrt(1/8), c(u) = 1/2: the DCT-II of 8 values, orthonormal
/// (ITU-T T.81, A.3.3, written as a matrix). A row is a basis wave, u its frequency.
using dct_matrix_t = std::array<std::array<double, 8>, 8>;
/// The matrix A of the DCT, computed once.
const dct_matrix_t& dct_matrix();

/// The coefficients of every 8x8 block of X by the definition, a sum over 64 pixels for each:
///     C[v][u] = sum over y, x of A[v][y] A[u][x] X[y][x]
/// padded(width) x padded(height) values, each block's where its pixels are; blocks that reach beyond the
/// right or lower edge see the last column and row repeated.
plane<double> dct8x8_definition(const plane<float>& pixels);

/// The same as two matrix products, C = A X A^T.
plane<double> dct8x8_matrix(const plane<float>& pixels);

/// The way back, X = A^T C A, cropped to width x height. Throws std::invalid_argument if the coefficients are
/// not padded(width) x padded(height).
plane<double> idct8x8_definition(const plane<float>& coefficients, int width, int height);
/// The same as two matrix products.
plane<double> idct8x8_matrix(const plane<float>& coefficients, int width, int height);

/// The line to beat: the two products in float, on all cores of the CPU, each with vector instructions. The
/// planes are sized as above; std::invalid_argument if they are not.
void dct8x8_all_cores(const plane<float>& pixels, plane<float>& coefficients);
/// The way back.
void idct8x8_all_cores(const plane<float>& coefficients, plane<float>& pixels);

}  // namespace tutorial

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// One 8x8 block on the host: taken out of a picture, multiplied by matrices from both sides, put back.
#pragma once

#include <algorithm>
#include <array>

#include "08_dct8x8/host/dct_serial.hpp"
#include "common/device/plane.hpp"
#include "dct_sizes.hpp"

namespace tutorial::detail {

template <class T>
using block = std::array<std::array<T, 8>, 8>;

template <class T>
block<T> transposed(const block<T>& a) {
  block<T> result;
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j) result[i][j] = a[j][i];
  return result;
}

/// P Q. The loop over j goes along rows: eight sums at a time in one vector register.
template <class T>
block<T> product(const block<T>& p, const block<T>& q) {
  block<T> result;
  for (int i = 0; i < 8; ++i)
#pragma omp simd
    for (int j = 0; j < 8; ++j) {
      T sum = 0;
      for (int k = 0; k < 8; ++k) sum += p[i][k] * q[k][j];
      result[i][j] = sum;
    }
  return result;
}

/// The 8x8 block whose upper left value is (row, col); beyond the edges the last column and row are repeated.
template <class T, class Value>
block<T> take_block(const plane<Value>& from, int row, int col) {
  block<T> x;
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j)
      x[i][j] = T(from.at(std::min(row + i, from.height - 1), std::min(col + j, from.width - 1)));
  return x;
}

/// What of the block lies within the plane.
template <class T, class Value>
void put_block(const block<T>& x, plane<Value>& to, int row, int col) {
  for (int i = 0; i < std::min(8, to.height - row); ++i)
    for (int j = 0; j < std::min(8, to.width - col); ++j) to.at(row + i, col + j) = Value(x[i][j]);
}

template <class T>
block<T> matrix_as() {
  block<T> a;
  for (int u = 0; u < 8; ++u)
    for (int x = 0; x < 8; ++x) a[u][x] = T(dct_matrix()[u][x]);
  return a;
}

}  // namespace tutorial::detail

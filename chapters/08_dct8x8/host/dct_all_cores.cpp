// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The 8x8 DCT on all cores of the CPU, each with vector instructions.
#include "block_products.hpp"

namespace tutorial {
namespace {

using detail::block;

// to = left from right, block by block. A core takes whole rows of blocks. Blocks that lie within `from` are
// copied by rows of a known length; only at the edges is every index looked at. Each core has matrices of its
// own: no store into `to` can change them, and so they may stay in registers.
void transform(const plane<float>& from, plane<float>& to, block<float> left, block<float> right) {
#pragma omp parallel for schedule(static) firstprivate(left, right)
  for (int row = 0; row < to.height; row += 8)
    for (int col = 0; col < to.width; col += 8) {
      block<float> x;
      if (row + 8 <= from.height && col + 8 <= from.width)
        for (int i = 0; i < 8; ++i) std::copy_n(&from.at(row + i, col), 8, x[i].begin());
      else
        x = detail::take_block<float>(from, row, col);
      x = detail::product(detail::product(left, x), right);
      if (row + 8 <= to.height && col + 8 <= to.width)
        for (int i = 0; i < 8; ++i) std::copy_n(x[i].begin(), 8, &to.at(row + i, col));
      else
        detail::put_block(x, to, row, col);
    }
}

}  // namespace

void dct8x8_all_cores(const plane<float>& pixels, plane<float>& coefficients) {
  detail::require_padded(pixels.width, pixels.height, coefficients.width, coefficients.height);
  const block<float> a = detail::matrix_as<float>();
  transform(pixels, coefficients, a, detail::transposed(a));
}

void idct8x8_all_cores(const plane<float>& coefficients, plane<float>& pixels) {
  detail::require_padded(pixels.width, pixels.height, coefficients.width, coefficients.height);
  const block<float> a = detail::matrix_as<float>();
  transform(coefficients, pixels, detail::transposed(a), a);
}

}  // namespace tutorial

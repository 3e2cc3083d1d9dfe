// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "dct_verification.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "08_dct8x8/host/block_products.hpp"

namespace tutorial {
namespace {

using detail::block;
using detail::product;
using detail::transposed;

constexpr double roundings = 18, half_unit = 0x1p-24;

block<double> absolute(block<double> x) {
  for (auto& row : x)
    for (double& value : row) value = std::abs(value);
  return x;
}

struct expected_block {
  block<double> value, bound;
};

/// L X R in double, and how far from it a float computation may be.
expected_block expect(const block<double>& l, const block<double>& x, const block<double>& r) {
  expected_block result{product(product(l, x), r), product(product(absolute(l), absolute(x)), absolute(r))};
  for (auto& row : result.bound)
    for (double& bound : row)
      bound = roundings * half_unit * 1.0001 * bound + 64 * std::numeric_limits<float>::denorm_min();
  return result;
}

expected_block expect_round_trip(const block<double>& a, const block<double>& x) {
  const expected_block there = expect(a, x, transposed(a)), back = expect(transposed(a), there.value, a);
  const block<double> carried = product(product(absolute(transposed(a)), there.bound), absolute(a));
  expected_block result{x, back.bound};
  // The way back starts from coefficients that are a little off: 1.0001 covers what that does to its bound,
  // too.
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j) result.bound[i][j] = 1.0001 * (back.bound[i][j] + carried[i][j]);
  return result;
}

/// `expected(block of from)` against the values of `to`. 8 rows at a time; they lie one after the other.
template <class Expected>
agreement verify(const plane<float>& from, const plane<float>& to, const Expected& expected) {
  const int strips = (to.height + 7) / 8;
  std::vector<agreement> found(static_cast<std::size_t>(strips));
#pragma omp parallel for schedule(static) if (strips >= 64)
  for (int strip = 0; strip < strips; ++strip) {
    const int row = 8 * strip, rows = std::min(8, to.height - row);
    plane<double> values(to.width, rows), bounds(to.width, rows);
    for (int col = 0; col < to.width; col += 8) {
      const expected_block each = expected(detail::take_block<double>(from, row, col));
      detail::put_block(each.value, values, 0, col);
      detail::put_block(each.bound, bounds, 0, col);
    }
    const auto begin = to.values.begin() + std::ptrdiff_t(row) * to.width;
    const std::vector<double> actual(begin, begin + std::ptrdiff_t(rows) * to.width);
    found[std::size_t(strip)] = compare(actual, values.values, bounds.values);
  }
  agreement all;
  for (const agreement& each : found) join(all, each, all.size);
  return all;
}

}  // namespace

void join(agreement& all, agreement later, std::size_t offset) {
  later.first_index += offset;
  later.worst_index += offset;
  const auto ratio = [](const agreement& each) {
    return each.worst_error == 0 ? 0 : each.worst_bound > 0 ? each.worst_error / each.worst_bound : INFINITY;
  };
  agreement joined = all.size == 0 || ratio(later) > ratio(all) ? later : all;
  joined.size = all.size + later.size;
  joined.mismatches = all.mismatches + later.mismatches;
  joined.first_index = all.mismatches > 0 ? all.first_index : later.first_index;
  all = joined;
}

agreement verify_dct8x8(const plane<float>& pixels, const plane<float>& coefficients) {
  detail::require_padded(pixels.width, pixels.height, coefficients.width, coefficients.height);
  const block<double>& a = dct_matrix();
  const block<double> a_transposed = transposed(a);
  return verify(pixels, coefficients, [&](const auto& x) { return expect(a, x, a_transposed); });
}

agreement verify_idct8x8(const plane<float>& coefficients, const plane<float>& pixels) {
  detail::require_padded(pixels.width, pixels.height, coefficients.width, coefficients.height);
  const block<double>& a = dct_matrix();
  const block<double> a_transposed = transposed(a);
  return verify(coefficients, pixels, [&](const auto& c) { return expect(a_transposed, c, a); });
}

agreement verify_round_trip(const plane<float>& pixels, const plane<float>& again) {
  if (pixels.width != again.width || pixels.height != again.height)
    throw std::invalid_argument("verify_round_trip: sizes differ");
  const block<double>& a = dct_matrix();
  return verify(pixels, again, [&](const auto& x) { return expect_round_trip(a, x); });
}

}  // namespace tutorial

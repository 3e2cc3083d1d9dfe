// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "product_matrices.hpp"

#include <cuda_fp16.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "08_dct8x8/host/dct_serial.hpp"

namespace tutorial {
namespace {

double value_of(std::uint16_t bits) {
  __half_raw raw;
  raw.x = bits;
  return double(__half2float(__half(raw)));
}
std::uint16_t nearest_half(double x) { return __half_raw(__double2half(x)).x; }

// [split]
void set(split_matrix& matrix, int k, int n, double value) {
  const std::size_t at = std::size_t(16 * n + k);
  matrix.high[at] = nearest_half(value);
  matrix.low[at] = nearest_half(value - value_of(matrix.high[at]));
}
// [split]

unsigned pair_of(const std::uint16_t* matrix, int k, int n) {
  const std::size_t at = std::size_t(16 * n + k);
  return matrix[at] | unsigned(matrix[at + 1]) << 16;
}

}  // namespace

double split_matrix::at(int k, int n) const {
  const std::size_t i = std::size_t(16 * n + k);
  return value_of(high[i]) + value_of(low[i]);
}

double split_matrix::high_at(int k, int n) const { return value_of(high[std::size_t(16 * n + k)]); }

// [matrices]
split_matrices split_matrices_of(const quantization_table& steps) {
  const dct_matrix_t& a = dct_matrix();
  split_matrices result{};
  for (int part = 0; part < folded_parts; ++part)
    for (int n = 0; n < product_order; ++n) {
      const auto [v, u] = frequency_of(part, n);
      const int step = steps[std::size_t(8 * v + u)];
      if (step < 1 || step > 255)
        throw std::invalid_argument("a quantization step of " + std::to_string(step) +
                                    ": it must be from 1 to 255");
      for (int k = 0; k < product_order; ++k) {
        const auto [row, column] = folded_place(k);
        const double wave = a[std::size_t(v)][std::size_t(row)] * a[std::size_t(u)][std::size_t(column)];
        set(result.forward[part], k, n, wave / step * forward_scale);
        set(result.inverse[part], n, k, wave * step * inverse_scale);
      }
    }
  return result;
}
// [matrices]

lane_fragments fragments_of(const split_matrices& matrices, int lane) {
  lane_fragments result{};
  const int k = 2 * (lane % 4);
  for (int i = 0; i < 4 * folded_parts; ++i) {
    const split_matrix& matrix = (i < 8 ? matrices.forward : matrices.inverse)[i / 2 % folded_parts];
    const int n = lane / 4 + 8 * (i % 2);
    result.of[i] = make_uint4(pair_of(matrix.high, k, n), pair_of(matrix.high, k + 8, n),
                              pair_of(matrix.low, k, n), pair_of(matrix.low, k + 8, n));
  }
  return result;
}

namespace {

std::vector<uint4> all_fragments(const split_matrices& matrices) {
  std::vector<uint4> all(32 * 4 * folded_parts);
  for (int lane = 0; lane < 32; ++lane) {
    const lane_fragments mine = fragments_of(matrices, lane);
    for (int i = 0; i < 4 * folded_parts; ++i) all[std::size_t(32 * i + lane)] = mine.of[i];
  }
  return all;
}

}  // namespace

product_matrices::product_matrices(const quantization_table& steps)
    : has_small_levels_(*std::min_element(steps.begin(), steps.end()) >= 2) {
  const split_matrices split = split_matrices_of(steps);
  matrices_ = device_buffer<split_matrices>(std::vector<split_matrices>{split});
  fragments_ = device_buffer<uint4>(all_fragments(split));
}

}  // namespace tutorial

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The DCT of 8x8 blocks as products of 16 x 16 matrices, and these matrices as a tensor core takes them.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "09_dct_compression/host/quantization.hpp"
#include "common/device/device_memory.hpp"

namespace tutorial {

// [indices]
/// A folded block has four parts, one for each parity of rows and columns: part 2 * (v odd) + (u odd) has all
/// that the coefficients (v, u) of these parities need, 16 numbers.
inline constexpr int folded_parts = 4, product_order = 16;

/// A row and a column, or two frequencies.
struct place_in_block {
  int row, column;
};
/// Where number k of a folded part comes from: a row and a column of the upper left quarter of the block.
constexpr place_in_block folded_place(int k) { return {k % 8 / 2, k % 2 + 2 * (k / 8)}; }
/// The coefficient (v, u) that is number n of a part.
constexpr place_in_block frequency_of(int part, int n) {
  return {2 * (n / 4) + part / 2, 2 * (n % 4) + part % 2};
}
// [indices]

// [scales]
/// Powers of two that keep both parts of a split matrix in the middle of fp16's range: the forward products
/// are 2^16 times as large as levels, and the levels that the inverse ones take are divided by 2^10.
inline constexpr double forward_scale = 0x1p16, inverse_scale = 0x1p10;
// [scales]

/// A 16 x 16 matrix as two of fp16 numbers (their bits), element (k, n) at [16 * n + k]. `high` is nearest to
/// the matrix, and `low` nearest to what is then left.
struct split_matrix {
  std::uint16_t high[256], low[256];
  /// high + low of element (k, n); exact.
  double at(int k, int n) const;
  /// Only high.
  double high_at(int k, int n) const;
};

/// All matrices of a quantization table:
///     forward[part](k, n) = A[v][row] A[u][column] / step(v, u) * forward_scale
///     inverse[part](n, k) = A[v][row] A[u][column] * step(v, u) * inverse_scale
/// with k a place and n a coefficient, and A the matrix of the DCT.
struct split_matrices {
  split_matrix forward[folded_parts], inverse[folded_parts];
};

// [fragments]
/// What one lane holds of the split matrices, which are cut into 16 matrices of 16 rows and 8 columns each:
/// [2 * part + half] is of the forward products, [8 + 2 * part + half] is of the inverse products; x and y
/// are two words of `high`, z and w are two words of `low`. The lane n * 4 + k % 8 / 2 holds element
/// (k, 8 * half + n) in its word k / 8, in the lower half of this word if k is even.
struct lane_fragments {
  uint4 of[4 * folded_parts];
};
// [fragments]

/// The matrices of `steps`. Throws std::invalid_argument for a step that is not 1..255.
split_matrices split_matrices_of(const quantization_table& steps);

/// What that lane, 0..31, holds of them.
lane_fragments fragments_of(const split_matrices& matrices, int lane);

/// The matrices of one table in device memory, made once and used for many pictures.
class product_matrices {
 public:
  /// Throws std::invalid_argument for a step that is not 1..255, cuda_error where memory is short. Waits.
  explicit product_matrices(const quantization_table& steps);

  /// For wmma.
  const split_matrices* matrices() const { return matrices_.data(); }
  /// For mma.sync: number i of a lane at [32 * i + lane], so that lanes load side by side.
  const uint4* fragments() const { return fragments_.data(); }
  /// No level of 8-bit pixels is beyond -512..512, as with all steps of 2 and more.
  bool has_small_levels() const { return has_small_levels_; }

 private:
  device_buffer<split_matrices> matrices_;
  device_buffer<uint4> fragments_;
  bool has_small_levels_;
};

}  // namespace tutorial

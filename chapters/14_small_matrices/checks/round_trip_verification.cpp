// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "round_trip_verification.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "08_dct8x8/host/dct_serial.hpp"
#include "09_dct_compression/host/compress_serial.hpp"
#include "14_small_matrices/kernels/product_matrices.hpp"

namespace tutorial {
namespace {

constexpr double last_place = 0x1p-23, half_place = 0x1p-24;  // of a float, relative
constexpr double most_folded = 512;                           // |sum of four pixels, shifted|

/// A sum of 17 terms by a tensor core: how far off it may be, and how large it is at most.
struct bounded_sum {
  double error = 0, size = 0;

  /// Adds 16 products, of which `largest` is the largest and `total` the sum of their sizes.
  void add(double largest, double total) {
    const double most = std::max(largest, size);
    size += total;
    error += 17 * last_place * most + last_place * size;
  }
};

/// The sum over i of factor[i] * (high + low)[i], beside that of factor[i] * exact[i].
struct product_of_16 {
  double factor[16], exact[16], split[16];

  bounded_sum bound(double bias) const {
    bounded_sum sum{0, bias};
    double off = 0, low = 0, low_total = 0, high = 0, high_total = 0;
    for (int i = 0; i < 16; ++i) {
      off += factor[i] * std::abs(exact[i] - split[i]);
      // |low| is at most half a unit in the last of 11 places of the matrix.
      low = std::max(low, factor[i] * std::abs(exact[i]) * 0x1p-11);
      low_total += factor[i] * std::abs(exact[i]) * 0x1p-11;
      high = std::max(high, factor[i] * std::abs(exact[i]) * (1 + 0x1p-11));
      high_total += factor[i] * std::abs(exact[i]) * (1 + 0x1p-11);
    }
    sum.add(low, low_total);
    sum.add(high, high_total);
    sum.error += off;
    return sum;
  }
};

/// A[v][row] A[u][column].
double wave(place_in_block frequency, place_in_block place) {
  const dct_matrix_t& a = dct_matrix();
  return a[std::size_t(frequency.row)][std::size_t(place.row)] *
         a[std::size_t(frequency.column)][std::size_t(place.column)];
}

/// The bounds are not rounded carefully themselves, and the reference is a double: a millionth for that.
double with_reserve(double bound) { return 1e-9 + bound * (1 + 1e-6); }

struct block_of_levels {
  plane<std::int16_t> levels = plane<std::int16_t>(8, 8);
  std::vector<int> ties = {};  // places of levels that may go either way
};

/// The reference's levels of a block, and which of them are nearly halfway.
block_of_levels levels_of(const plane<double>& ratios, int left, const std::array<double, 64>& bounds) {
  block_of_levels block;
  for (int i = 0; i < 64; ++i) {
    const double ratio = ratios.at(i / 8, left + i % 8);
    block.levels.values[std::size_t(i)] = std::int16_t(std::round(ratio));
    if (std::abs(ratio - std::floor(ratio) - 0.5) <= bounds[std::size_t(i)]) block.ties.push_back(i);
  }
  if (block.ties.size() > 10) throw std::invalid_argument("verify_round_trip: more than 10 ties in a block");
  return block;
}

/// One 8x8 block of the result, as far as it is inside.
struct result_block {
  std::vector<double> actual;
  std::vector<std::size_t> index;  // of each in the block, 8 * row + column
};

agreement compare_block(const result_block& result, const plane<std::int16_t>& levels,
                        const quantization_table& steps) {
  const plane<double> unrounded = unrounded_pixels(levels, steps, 8, 8);
  const std::array<double, 64> bounds =
      product_pixel_bounds(std::span<const std::int16_t, 64>(levels.values.data(), 64), steps);
  std::vector<double> expected, allowed;
  for (const std::size_t i : result.index) {
    expected.push_back(std::clamp(unrounded.values[i], 0.0, 255.0));
    allowed.push_back(0.5 + bounds[i]);
  }
  return compare<double>(result.actual, expected, allowed);
}

/// That of the choices with the fewest mismatches.
agreement best_agreement(const result_block& result, block_of_levels block, const plane<double>& ratios,
                         int left, const quantization_table& steps) {
  agreement best;
  for (unsigned choice = 0; choice < 1u << block.ties.size(); ++choice) {
    for (std::size_t t = 0; t < block.ties.size(); ++t) {
      const int i = block.ties[t];
      block.levels.values[std::size_t(i)] =
          std::int16_t(std::floor(ratios.at(i / 8, left + i % 8)) + (choice >> t & 1));
    }
    const agreement found = compare_block(result, block.levels, steps);
    if (choice == 0 || found.mismatches < best.mismatches) best = found;
    if (best) break;
  }
  return best;
}

/// Adds what was found in a block to what was found before.
void add(agreement& all, const agreement& block, const result_block& result, std::size_t first_of_block,
         std::size_t width) {
  const auto place = [&](std::size_t i) {
    return first_of_block + result.index[i] / 8 * width + result.index[i] % 8;
  };
  if (block.mismatches > 0 && all.mismatches == 0) all.first_index = place(block.first_index);
  const bool worse = block.worst_error - block.worst_bound > all.worst_error - all.worst_bound;
  if (all.size == 0 || worse) {
    const std::size_t size = all.size, mismatches = all.mismatches, first = all.first_index;
    all = block;
    all.worst_index = place(block.worst_index);
    all.size = size, all.mismatches = mismatches, all.first_index = first;
  }
  all.size += block.size;
  all.mismatches += block.mismatches;
}

}  // namespace

std::array<double, 64> product_level_bounds(const quantization_table& steps) {
  const split_matrices matrices = split_matrices_of(steps);
  std::array<double, 64> bounds{};
  for (int part = 0; part < folded_parts; ++part)
    for (int n = 0; n < product_order; ++n) {
      const place_in_block frequency = frequency_of(part, n);
      const std::size_t i = std::size_t(8 * frequency.row + frequency.column);
      product_of_16 product{};
      for (int k = 0; k < product_order; ++k) {
        product.factor[k] = most_folded;
        product.exact[k] = wave(frequency, folded_place(k)) / steps[i] * forward_scale;
        product.split[k] = matrices.forward[part].at(k, n);
      }
      bounds[i] = with_reserve(product.bound(0).error / forward_scale);
    }
  return bounds;
}

std::array<double, 64> product_pixel_bounds(std::span<const std::int16_t, 64> levels,
                                            const quantization_table& steps) {
  // The matrices of one table serve many blocks.
  static thread_local quantization_table known{};
  static thread_local split_matrices matrices{};
  if (known != steps) matrices = split_matrices_of(steps), known = steps;

  std::array<double, 64> bounds{};
  for (int k = 0; k < product_order; ++k) {
    bounded_sum of_part[folded_parts];
    for (int part = 0; part < folded_parts; ++part) {
      product_of_16 product{};
      for (int n = 0; n < product_order; ++n) {
        const place_in_block frequency = frequency_of(part, n);
        const std::size_t i = std::size_t(8 * frequency.row + frequency.column);
        product.factor[n] = std::abs(double(levels[i])) / inverse_scale;
        product.exact[n] = wave(frequency, folded_place(k)) * steps[i] * inverse_scale;
        product.split[n] = matrices.inverse[part].at(n, k);
      }
      of_part[part] = product.bound(part == 0 ? 128 : 0);
    }
    bounded_sum all;
    for (const bounded_sum& each : of_part) all.error += each.error, all.size += each.size;
    const double error = with_reserve(all.error + 3 * half_place * (all.size + all.error));
    const auto [row, column] = folded_place(k);
    for (const int i :
         {8 * row + column, 8 * row + 7 - column, 8 * (7 - row) + column, 8 * (7 - row) + 7 - column})
      bounds[std::size_t(i)] = error;
  }
  return bounds;
}

level_errors errors_of(const plane<float>& ratios, const plane<double>& exact,
                       const std::array<double, 64>& bounds) {
  level_errors all;
  double squares = 0;
  for (int row = 0; row < exact.height; ++row)
    for (int col = 0; col < exact.width; ++col) {
      const double error = std::abs(double(ratios.at(row, col)) - exact.at(row, col));
      squares += error * error;
      all.worst = std::max(all.worst, error);
      all.worst_of_bound = std::max(all.worst_of_bound, error / bounds[std::size_t(8 * (row % 8) + col % 8)]);
    }
  all.root_mean_square = std::sqrt(squares / double(exact.values.size()));
  return all;
}

round_trip_agreement verify_round_trip(const plane<std::uint8_t>& pixels, const quantization_table& steps,
                                       const plane<std::uint8_t>& result) {
  if (pixels.width != result.width || pixels.height != result.height)
    throw std::invalid_argument("verify_round_trip: the planes differ in size");
  const std::array<double, 64> bounds = product_level_bounds(steps);
  const std::size_t width = std::size_t(pixels.width);
  round_trip_agreement all;
  for (int top = 0; top < pixels.height; top += 8) {
    const int rows = std::min(8, pixels.height - top);
    const auto begin = pixels.values.begin() + std::ptrdiff_t(top) * pixels.width;
    const plane<std::uint8_t> strip(pixels.width, rows, {begin, begin + std::ptrdiff_t(rows) * pixels.width});
    const plane<double> ratios = unrounded_levels(strip, steps);
    const plane<std::uint8_t> reference =
        decode_serial(encode_serial(strip, steps), steps, pixels.width, rows);
    for (int left = 0; left < pixels.width; left += 8) {
      const block_of_levels block = levels_of(ratios, left, bounds);
      result_block inside;
      for (int i = 0; i < 64; ++i) {
        const int row = i / 8, col = left + i % 8;
        if (row >= rows || col >= pixels.width) continue;
        inside.actual.push_back(result.at(top + row, col));
        inside.index.push_back(std::size_t(i));
        all.differing += result.at(top + row, col) != reference.at(row, col);
      }
      all.ties += block.ties.size();
      add(all.found, best_agreement(inside, block, ratios, left, steps), inside,
          std::size_t(top) * width + std::size_t(left), width);
    }
  }
  return all;
}

}  // namespace tutorial

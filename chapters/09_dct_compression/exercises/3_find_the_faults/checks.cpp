// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "common/files/numbers.hpp"
#include "find_the_faults.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "08_dct8x8/host/dct_serial.hpp"
#include "common/device/check.hpp"
#include "common/verify/case_at_work.hpp"
#include "common/verify/counted_check.hpp"
#include "common/verify/inputs.hpp"
#include "common/verify/work_spread.hpp"

using namespace tutorial;

namespace {

constexpr std::uint8_t nobody = 0xA5;  // what device_plane fills its memory with

/// A table that is not the same along rows and along columns.
quantization_table lopsided_table() {
  quantization_table steps;
  for (int v = 0; v < 8; ++v)
    for (int u = 0; u < 8; ++u) steps[std::size_t(8 * v + u)] = std::uint16_t(3 + 2 * u + 5 * v);
  return steps;
}

struct decoded {
  plane<std::uint8_t> inside;  ///< width x height.
  int written_outside = 0;     ///< Bytes right of it or below it that were written.
};

/// The pixels, and the frame of 8 around them, in memory that is large enough for both.
decoded decode(const plane<std::int16_t>& levels, const quantization_table& steps, int width, int height) {
  const device_plane<std::int16_t> d_levels(levels);
  device_plane<std::uint8_t> d_pixels(width + 8, height + 8);
  decode_by_columns(d_levels, steps, {d_pixels.span().data(), width, height, d_pixels.pitch()});
  check(cudaDeviceSynchronize());
  const plane<std::uint8_t> all = d_pixels.to_host();
  decoded result{plane<std::uint8_t>(width, height), 0};
  for (int row = 0; row < all.height; ++row)
    for (int col = 0; col < all.width; ++col)
      if (row < height && col < width)
        result.inside.at(row, col) = all.at(row, col);
      else
        result.written_outside += all.at(row, col) != nobody;
  return result;
}

/// Holds every pixel against double precision. Both sides of a half are right where the float may be on
/// either.
void check_pixels(const plane<std::int16_t>& levels, const quantization_table& steps, int width, int height) {
  plane<float> coefficients(levels.width, levels.height), of_other_steps = coefficients;
  double largest = 0;  // sum of |C| over an 8x8 block, at most: no value on the way is larger
  for (int top = 0; top < levels.height; top += 8)
    for (int left = 0; left < levels.width; left += 8) {
      double sum = 0;
      for (int v = 0; v < 8; ++v)
        for (int u = 0; u < 8; ++u) {
          const int c = levels.at(top + v, left + u) * steps[std::size_t(8 * v + u)];
          coefficients.at(top + v, left + u) = float(c);
          of_other_steps.at(top + v, left + u) =
              float(levels.at(top + v, left + u) * steps[std::size_t(8 * u + v)]);
          sum += std::abs(c);
        }
      largest = std::max(largest, sum);
    }
  const plane<double> exact = idct8x8_definition(coefficients, width, height);
  const plane<double> transposed = idct8x8_definition(of_other_steps, width, height);
  // Two sums of eight products: at most 9 roundings each way, matrix included, of what is at most `largest`;
  // then + 128.5.
  const double bound = 2 * 9 * 0x1p-24 * largest + 0x1p-24 * (largest + 129);
  const decoded got = decode(levels, steps, width, height);
  for (int row = 0; row < height; ++row)
    for (int col = 0; col < width; ++col) {
      const double value = exact.at(row, col) + 128.5;
      const auto pixel = [](double at) { return int(std::clamp(std::floor(at), 0.0, 255.0)); };
      const int actual = got.inside.at(row, col);
      const int unbound = int(std::floor(value));  // before it is limited to 0..255
      std::string why;
      if (unbound != std::clamp(unbound, 0, 255) && actual == (unbound & 255))
        why = ": before it is limited to 0..255 it is " + std::to_string(unbound) +
              ", and 8 bits of that are " + std::to_string(actual);
      else if (std::abs(transposed.at(row, col) + 128 - actual) <= 1)
        why = ", as if each level were multiplied by the step of the other place, (u, v) for (v, u)";
      REQUIRE_MESSAGE((actual == pixel(value - bound) || actual == pixel(value + bound)), width, " x ",
                      height, " pixels: pixel (", row, ", ", col, ") should be ", pixel(value), ", and is ",
                      actual, why);
    }
  CHECK_MESSAGE(got.written_outside == 0, width, " x ", height,
                " pixels: ", several(std::uint64_t(got.written_outside), "byte"),
                " right of the picture or below it were written");
}

plane<std::int16_t> random_levels(int width, int height, int limit) {
  plane<std::int16_t> levels(padded(width), padded(height));
  for (std::size_t i = 0; i < levels.values.size(); ++i)
    levels.values[i] = std::int16_t(int(random_bits(9, i) % std::uint64_t(2 * limit + 1)) - limit);
  return levels;
}

}  // namespace

TEST_CASE("a gray 8x8 block") {
  plane<std::int16_t> levels(8, 8);
  levels.at(0, 0) = -5;
  check_pixels(levels, lopsided_table(), 8, 8);
}

TEST_CASE("a wave down the rows, and one along them") {
  for (const bool along : {false, true}) {
    plane<std::int16_t> levels(8, 8);
    levels.at(along ? 0 : 3, along ? 3 : 0) = 12;
    const case_at_work given(along ? "only level (v, u) = (0, 3) is not zero"
                                   : "only level (v, u) = (3, 0) is not zero");
    check_pixels(levels, lopsided_table(), 8, 8);
  }
}

TEST_CASE("busy 8x8 blocks, within 0..255") {
  check_pixels(random_levels(64, 16, 1), lopsided_table(), 64, 16);
}

TEST_CASE("8x8 blocks that overshoot on both sides") {
  check_pixels(random_levels(64, 16, 9), lopsided_table(), 64, 16);
}

TEST_CASE("any size") {
  for (const int width : {1, 7, 8, 9, 255, 256, 257, 300})
    for (const int height : {1, 8, 13})
      check_pixels(random_levels(width, height, 2), lopsided_table(), width, height);
}

TEST_CASE("eight threads for each 8x8 block") {
  const device_plane<std::int16_t> levels(random_levels(256, 64, 2));
  device_plane<std::uint8_t> pixels(256, 64);
  const auto launches = count_launches([&] { decode_by_columns(levels, lopsided_table(), pixels); });
  if (!has_counts(launches)) return;
  require_work_spread(launches, 256 * 64, 8);
}

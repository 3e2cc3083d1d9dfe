// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <set>
#include <stdexcept>
#include <utility>

#include "08_dct8x8/host/dct_serial.hpp"
#include "09_dct_compression/host/compress_serial.hpp"
#include "14_small_matrices/checks/round_trip_verification.hpp"
#include "14_small_matrices/kernels/product_matrices.hpp"
#include "common/verify/inputs.hpp"

using namespace tutorial;

namespace {

quantization_table all(int step) {
  quantization_table steps;
  steps.fill(std::uint16_t(step));
  return steps;
}

plane<std::uint8_t> random_pixels(int width, int height) {
  plane<std::uint8_t> pixels(width, height);
  for (std::size_t i = 0; i < pixels.values.size(); ++i)
    pixels.values[i] = std::uint8_t(random_bits(7, i) >> 24);
  return pixels;
}

}  // namespace

TEST_CASE("every coefficient and every place of the quarter has one number in one part") {
  std::set<std::pair<int, int>> coefficients, places;
  for (int part = 0; part < folded_parts; ++part)
    for (int n = 0; n < product_order; ++n) {
      const place_in_block at = frequency_of(part, n);
      CHECK(2 * (at.row % 2) + at.column % 2 == part);
      coefficients.insert({at.row, at.column});
      places.insert({folded_place(n).row, folded_place(n).column});
    }
  CHECK(coefficients.size() == 64);
  CHECK(places.size() == 16);
}

TEST_CASE("a split matrix is exact to 22 bits, and both parts are normal numbers of fp16") {
  for (const int step : {1, 2, 3, 7, 16, 99, 255}) {
    const split_matrices split = split_matrices_of(all(step));
    for (int part = 0; part < folded_parts; ++part)
      for (int n = 0; n < product_order; ++n)
        for (int k = 0; k < product_order; ++k) {
          const auto [v, u] = frequency_of(part, n);
          const auto [row, column] = folded_place(k);
          const double wave = dct_matrix()[std::size_t(v)][std::size_t(row)] *
                              dct_matrix()[std::size_t(u)][std::size_t(column)];
          const double forward = wave / step * forward_scale, inverse = wave * step * inverse_scale;
          CHECK(std::abs(split.forward[part].at(k, n) - forward) <= 0x1p-22 * std::abs(forward));
          CHECK(std::abs(split.inverse[part].at(n, k) - inverse) <= 0x1p-22 * std::abs(inverse));
          CHECK((split.forward[part].high[16 * n + k] & 0x7C00) != 0x7C00);  // not infinite
          CHECK((split.inverse[part].high[16 * k + n] & 0x7C00) != 0x7C00);
        }
  }
}

TEST_CASE("the lanes of a warp hold each element of a matrix once") {
  quantization_table steps;
  for (std::size_t i = 0; i < 64; ++i) steps[i] = std::uint16_t(1 + 3 * i);
  const split_matrices split = split_matrices_of(steps);
  for (int lane = 0; lane < 32; ++lane) {
    const lane_fragments mine = fragments_of(split, lane);
    for (int part = 0; part < folded_parts; ++part)
      for (int half = 0; half < 2; ++half) {
        const uint4 forward = mine.of[2 * part + half], inverse = mine.of[8 + 2 * part + half];
        const int n = lane / 4 + 8 * half, k = lane % 4 * 2;
        CHECK((forward.x & 0xFFFF) == split.forward[part].high[16 * n + k]);
        CHECK((forward.y >> 16) == split.forward[part].high[16 * n + k + 9]);
        CHECK((forward.w & 0xFFFF) == split.forward[part].low[16 * n + k + 8]);
        CHECK((inverse.z >> 16) == split.inverse[part].low[16 * n + k + 1]);
      }
  }
}

TEST_CASE("steps that no table has are refused") {
  CHECK_THROWS_AS(split_matrices_of(all(0)), std::invalid_argument);
  CHECK_THROWS_AS(split_matrices_of(all(256)), std::invalid_argument);
}

TEST_CASE("the bounds are small, and a pixel that is off by more is refused") {
  for (const int quality : {1, 50, 100})
    for (const double bound : product_level_bounds(table_for(component_kind::luminance, quality))) {
      CHECK(bound > 0);
      CHECK(bound < 0.002);  // of a step, at steps of 1
    }
  const plane<std::uint8_t> pixels = random_pixels(21, 11);
  const quantization_table steps = table_for(component_kind::luminance, 90);
  const plane<std::uint8_t> right = decode_serial(encode_serial(pixels, steps), steps, 21, 11);
  const round_trip_agreement good = verify_round_trip(pixels, steps, right);
  CHECK(good);
  CHECK(good.differing == 0);
  CHECK(good.found.size == 21 * 11);
  for (const int place : {0, 20, 8 * 21 + 7, 230}) {
    plane<std::uint8_t> wrong = right;
    wrong.values[std::size_t(place)] ^= 2;
    const round_trip_agreement bad = verify_round_trip(pixels, steps, wrong);
    CHECK(bad.found.mismatches == 1);
    CHECK(bad.found.first_index == std::size_t(place));
    CHECK(bad.differing == 1);
  }
  CHECK_THROWS_AS(verify_round_trip(pixels, steps, plane<std::uint8_t>(21, 12)), std::invalid_argument);
}

TEST_CASE("a level exactly halfway may go either way, but only as a whole") {
  // The mean of the pixels is 128 + 1/2: with a step of 8 the DC is halfway between the levels 0 and 1.
  const quantization_table steps = all(8);
  plane<std::uint8_t> pixels(8, 8);
  for (int i = 0; i < 64; ++i) pixels.values[std::size_t(i)] = std::uint8_t(128 + (i / 8 + i) % 2);
  const auto flat = [](int value) { return plane<std::uint8_t>(8, 8, std::uint8_t(value)); };
  CHECK(verify_round_trip(pixels, steps, flat(128)));
  CHECK(verify_round_trip(pixels, steps, flat(129)));
  CHECK(verify_round_trip(pixels, steps, flat(128)).ties == 1);
  CHECK(!verify_round_trip(pixels, steps, flat(130)));
  plane<std::uint8_t> mixed = flat(128);
  mixed.values[63] = 129;
  CHECK(verify_round_trip(pixels, steps, mixed).found.mismatches == 1);
}

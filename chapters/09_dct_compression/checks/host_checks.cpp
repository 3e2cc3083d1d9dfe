// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <stdexcept>
#include <vector>

#include "08_dct8x8/host/dct_serial.hpp"
#include "09_dct_compression/host/color.hpp"
#include "09_dct_compression/host/compress_serial.hpp"
#include "09_dct_compression/host/picture_quality.hpp"
#include "09_dct_compression/host/quantization.hpp"
#include "09_dct_compression/host/tie_example.hpp"
#include "09_dct_compression/host/ties.hpp"
#include "common/verify/inputs.hpp"

using namespace tutorial;

namespace {

using pixels = plane<std::uint8_t>;

pixels random_pixels(int width, int height, std::uint64_t seed) {
  pixels result(width, height);
  for (std::size_t i = 0; i < result.values.size(); ++i)
    result.values[i] = std::uint8_t(random_bits(seed, i));
  return result;
}

image gray_of(const pixels& from) { return image(from.width, from.height, 1, from.values); }

quantization_table all(int step) {
  quantization_table steps;
  steps.fill(std::uint16_t(step));
  return steps;
}

/// C[v][u] of 64 whole numbers by the sum of the definition.
double coefficient(const whole_block& x, int v, int u) {
  double sum = 0;
  for (int i = 0; i < 64; ++i) sum += dct_matrix()[v][i / 8] * dct_matrix()[u][i % 8] * x[std::size_t(i)];
  return sum;
}

}  // namespace

TEST_CASE("colors: within half a step of the formulas") {
  const double rounding = 0.5 + 3 * 255 * (1.0 / (1 << 17) + 5e-6);  // and that of the factors
  for (std::uint64_t i = 0; i < 20000; ++i) {
    const std::uint64_t bits = random_bits(3, i);
    const auto part = [&](int shift) { return std::uint8_t(bits >> shift); };
    const double r = part(0), g = part(8), b = part(16);
    const auto [y, cb, cr] = ycbcr_of_rgb(part(0), part(8), part(16));
    CHECK(std::abs(y - (0.299 * r + 0.587 * g + 0.114 * b)) <= rounding);
    CHECK(std::abs(cb - (128 + (b - 0.299 * r - 0.587 * g - 0.114 * b) / 1.772)) <= rounding);
    CHECK(std::abs(cr - (128 + (r - 0.299 * r - 0.587 * g - 0.114 * b) / 1.402)) <= rounding);
    // And back: R is off by half of Y, 1.402 halves of Cr, and half by its own rounding, so by less than 2,
    // and so on.
    const auto back = rgb_of_ycbcr(y, cb, cr);
    for (std::size_t c = 0; c < 3; ++c) CHECK(std::abs(int(back[c]) - int(part(8 * int(c)))) <= 1);
  }
}

TEST_CASE("colors: gray stays gray, and pure colors do not wrap around") {
  for (int gray = 0; gray < 256; ++gray) {
    const std::uint8_t one = std::uint8_t(gray);
    CHECK(ycbcr_of_rgb(one, one, one) == std::array<std::uint8_t, 3>{one, 128, 128});
    CHECK(rgb_of_ycbcr(one, 128, 128) == std::array<std::uint8_t, 3>{one, one, one});
  }
  CHECK(ycbcr_of_rgb(255, 0, 0) == std::array<std::uint8_t, 3>{76, 85, 255});
  CHECK(ycbcr_of_rgb(0, 0, 255) == std::array<std::uint8_t, 3>{29, 255, 107});
  CHECK(rgb_of_ycbcr(255, 255, 255) == std::array<std::uint8_t, 3>{255, 121, 255});
  CHECK(rgb_of_ycbcr(0, 0, 0) == std::array<std::uint8_t, 3>{0, 135, 0});
}

TEST_CASE("half as many samples, and twice as many") {
  // Sums of 1 and 2 in each column: with biases of 1 and 2 the mean is 0, 0, 0, 1.
  CHECK(halved(pixels(4, 2, {1, 0, 1, 0, 0, 0, 0, 0})) == pixels(2, 1, {0, 0}));
  CHECK(halved(pixels(4, 2, {1, 1, 1, 1, 0, 0, 0, 0})) == pixels(2, 1, {0, 1}));
  CHECK(halved(pixels(2, 2, {255, 255, 255, 255})) == pixels(1, 1, std::uint8_t(255)));
  // Odd sizes repeat the last column and row.
  CHECK(halved(pixels(3, 3, {0, 0, 10, 0, 0, 30, 40, 60, 80})) == pixels(2, 2, {0, 20, 50, 80}));
  CHECK(halved(pixels(1, 1, std::uint8_t(7))) == pixels(1, 1, std::uint8_t(7)));
}

TEST_CASE("a picture split and joined") {
  const pixels one = random_pixels(7, 5, 1);
  CHECK(joined(split(gray_of(one), chroma_sampling::s420), 7, 5, chroma_sampling::s420) == gray_of(one));
  image colorless(7, 5, 3);
  for (std::size_t i = 0; i < 35; ++i)
    for (std::size_t c = 0; c < 3; ++c) colorless.pixels()[3 * i + c] = one.values[i];
  for (const chroma_sampling sampling : {chroma_sampling::s444, chroma_sampling::s420}) {
    const auto planes = split(colorless, sampling);
    REQUIRE(planes.size() == 3);
    CHECK(planes[0] == one);
    CHECK(planes[1].width == (sampling == chroma_sampling::s420 ? 4 : 7));
    CHECK(planes[2].height == (sampling == chroma_sampling::s420 ? 3 : 5));
    CHECK(joined(planes, 7, 5, sampling) == colorless);
    CHECK_THROWS_AS(joined(planes, 8, 5, sampling), std::invalid_argument);
  }
  // Each sample of the colors belongs to four pixels.
  const pixels gray = pixels(3, 3, std::uint8_t(100));
  CHECK(joined({gray, pixels(2, 2, {3, 40, 90, 255}), pixels(2, 2, {250, 7, 0, 128})}, 3, 3,
               chroma_sampling::s420) == joined({gray, pixels(3, 3, {3, 3, 40, 3, 3, 40, 90, 90, 255}),
                                                 pixels(3, 3, {250, 250, 7, 250, 250, 7, 0, 0, 128})},
                                                3, 3, chroma_sampling::s444));
  CHECK_THROWS_AS(joined({one, one}, 7, 5, chroma_sampling::s444), std::invalid_argument);
  CHECK_THROWS_AS(joined({one, one, one}, 7, 5, chroma_sampling::s420), std::invalid_argument);
}

TEST_CASE("sums of cosines are the coefficients and the pixels") {
  whole_block x{};
  for (std::size_t i = 0; i < 64; ++i) x[i] = std::int32_t(random_bits(5, i) % 256) - 128;
  for (int v = 0; v < 8; ++v)
    for (int u = 0; u < 8; ++u) {
      CAPTURE(v);
      CAPTURE(u);
      CHECK(std::abs(value_of(exact_coefficient(x, v, u)) - coefficient(x, v, u)) < 1e-10);
      double pixel = 0;  // x as coefficients
      for (int i = 0; i < 64; ++i)
        pixel += dct_matrix()[i / 8][v] * dct_matrix()[i % 8][u] * x[std::size_t(i)];
      CHECK(std::abs(value_of(exact_pixel(x, v, u)) - pixel) < 1e-10);
    }
}

TEST_CASE("a tie is a tie") {
  CHECK(is_tie({8}, 2));      // 1 = (0 + 1/2) 2
  CHECK(is_tie({-8}, 2));     // -1 = (-1 + 1/2) 2
  CHECK(is_tie({24}, 2));     // 3
  CHECK(!is_tie({16}, 2));    // 2 is a level
  CHECK(!is_tie({0}, 2));     // so is 0
  CHECK(!is_tie({4}, 2));     // 1/2
  CHECK(is_tie({12}, 3));     // 3/2
  CHECK(!is_tie({8, 1}, 2));  // not rational
  CHECK(!is_tie({8, 0, 0, 0, 0, 0, 0, -1}, 2));
  // How often: 1 / (8 step) of random blocks in each of the four coefficients that are always rational, and
  // next to never elsewhere.
  const quantization_table steps = table_for(component_kind::luminance, 50);
  constexpr std::uint64_t blocks = 4000;
  double expected = 0, found = 0;
  for (const std::size_t i : {0, 4, 32, 36}) expected += blocks / (8.0 * steps[i]);
  for (std::uint64_t block = 0; block < blocks; ++block) {
    whole_block x{};
    for (std::size_t i = 0; i < 64; ++i) x[i] = std::int32_t(random_bits(9, 64 * block + i) % 256) - 128;
    found += has_tie(x, steps);
  }
  CHECK(std::abs(found - expected) < 5 * std::sqrt(expected));
}

TEST_CASE("over the example of a tie programs disagree, and the reference does not depend on them") {
  const quantization_table steps = table_for(component_kind::luminance, 50);
  const tie_example tie = find_tie(steps);
  CHECK(is_tie(tie.exact, tie.step));
  CHECK(tie.step == steps[std::size_t(8 * tie.v + tie.u)]);
  CHECK(tie.twice_the_ratio % 2 != 0);
  CHECK(value_of(tie.exact) == double(tie.twice_the_ratio) * tie.step / 2);
  CHECK(tie.ways[0].level != tie.ways[1].level);
  CHECK(tie.ways[2].level != tie.ways[3].level);
  for (const auto& way : tie.ways) CHECK(std::abs(way.ratio - double(tie.twice_the_ratio) / 2) < 1e-3);
  const pixels block(8, 8, {tie.pixels.begin(), tie.pixels.end()});
  CHECK(encode_serial(block, steps).at(tie.v, tie.u) == tie.level);
  CHECK(unrounded_levels(block, steps).at(tie.v, tie.u) == double(tie.twice_the_ratio) / 2);
}

TEST_CASE("ties of the DC go away from zero, whatever pixels they are made of") {
  // A sum of 64 m + 32 over 64 pixels is a mean of m + 1/2, and with a step of 8 the level's.
  for (int m = -20; m < 20; ++m) {
    CAPTURE(m);
    for (const int seed : {1, 2, 3}) {
      pixels block(8, 8, std::uint8_t(128 + m));
      for (std::size_t i = 0; i < 64; ++i)  // another pattern of differences each time, of sum 32
        block.values[i] = std::uint8_t(block.values[i] + (i % 2) + (i / 2 % 2 ? -seed : seed) * int(i / 16));
      CHECK(encode_serial(block, all(8)).at(0, 0) == (m >= 0 ? m + 1 : m));
      CHECK(unrounded_levels(block, all(8)).at(0, 0) == m + 0.5);
    }
  }
}

TEST_CASE("pixels exactly halfway go up") {
  plane<std::int16_t> levels(8, 8);
  for (const int dc : {-12, -4, 4, 12, 20}) {  // pixels of dc / 8
    levels.at(0, 0) = std::int16_t(dc);
    const int expected = 128 + (dc + 4) / 8 - (dc + 4 < 0 && (dc + 4) % 8 != 0);
    CHECK(decode_serial(levels, all(1), 8, 8) == pixels(8, 8, std::uint8_t(expected)));
    CHECK(unrounded_pixels(levels, all(1), 8, 8) == plane<double>(8, 8, 128 + dc / 8.0));
  }
  // The basis pictures of frequencies 0 and 4 have the values +-1/8 only: with multiples of 4, and an odd one
  // for the DC, all pixels are halves, however the sums are rounded on the way.
  const int sign[8] = {1, -1, -1, 1, 1, -1, -1, 1};
  levels = plane<std::int16_t>(8, 8);
  for (std::uint64_t i = 0; i < 200; ++i) {
    int part[4];  // (0, 0), (0, 4), (4, 0), (4, 4)
    for (std::size_t k = 0; k < 4; ++k) part[k] = 4 * (int(random_bits(k, i) % 100) - 50);
    part[0] += 4 * ((part[0] + part[1] + part[2] + part[3]) / 4 % 2 == 0);
    levels.at(0, 0) = std::int16_t(part[0]), levels.at(0, 4) = std::int16_t(part[1]);
    levels.at(4, 0) = std::int16_t(part[2]), levels.at(4, 4) = std::int16_t(part[3]);
    const plane<double> values = unrounded_pixels(levels, all(1), 8, 8);
    for (int y = 0; y < 8; ++y)
      for (int x = 0; x < 8; ++x)
        CHECK(values.at(y, x) ==
              128 + (part[0] + part[1] * sign[x] + part[2] * sign[y] + part[3] * sign[y] * sign[x]) / 8.0);
  }
  levels = plane<std::int16_t>(8, 8);
  levels.at(0, 0) = 32767;
  CHECK(decode_serial(levels, all(255), 3, 2) == pixels(3, 2, 255));
  levels.at(0, 0) = -32768;
  CHECK(decode_serial(levels, all(255), 3, 2) == pixels(3, 2, 0));
  CHECK_THROWS_AS(decode_serial(levels, all(1), 9, 8), std::invalid_argument);
}

TEST_CASE("levels are the rounded coefficients of chapter 08's definition") {
  for (const int quality : {1, 10, 50, 90, 100}) {
    CAPTURE(quality);
    const quantization_table steps = table_for(component_kind::luminance, quality);
    const pixels x = random_pixels(21, 13, std::uint64_t(quality));
    plane<float> shifted(21, 13);
    for (std::size_t i = 0; i < x.values.size(); ++i) shifted.values[i] = float(x.values[i]) - 128;
    const plane<double> c = dct8x8_definition(shifted);
    const plane<std::int16_t> levels = encode_serial(x, steps);
    REQUIRE(levels.values.size() == c.values.size());
    for (int row = 0; row < levels.height; ++row)
      for (int col = 0; col < levels.width; ++col) {
        const double ratio = c.at(row, col) / steps[std::size_t(8 * (row % 8) + col % 8)];
        CHECK(std::abs(ratio - levels.at(row, col)) <= 0.5 + 1e-9);
      }
  }
}

TEST_CASE("what lies beyond the edges is the last column and row") {
  for (const auto& [width, height] : {std::pair{1, 1}, {7, 9}, {9, 7}, {16, 15}}) {
    const pixels small = random_pixels(width, height, 4);
    pixels whole(padded(width), padded(height));
    for (int row = 0; row < whole.height; ++row)
      for (int col = 0; col < whole.width; ++col)
        whole.at(row, col) = small.at(std::min(row, height - 1), std::min(col, width - 1));
    const auto levels = encode_serial(small, all(3));
    CHECK(levels == encode_serial(whole, all(3)));
    const pixels decoded = decode_serial(levels, all(3), whole.width, whole.height);
    const pixels cropped = decode_serial(levels, all(3), width, height);
    for (int row = 0; row < height; ++row)
      for (int col = 0; col < width; ++col) CHECK(cropped.at(row, col) == decoded.at(row, col));
  }
}

TEST_CASE("what quantization may lose") {
  // An orthonormal transform keeps the sum of squares: 64 errors of step / 2 at most, and half a level from
  // rounding.
  const pixels x = random_pixels(24, 16, 6);
  for (const int step : {1, 2, 10, 40}) {
    CAPTURE(step);
    const pixels back = decode_serial(encode_serial(x, all(step)), all(step), 24, 16);
    for (std::size_t i = 0; i < x.values.size(); ++i)
      CHECK(std::abs(int(x.values[i]) - int(back.values[i])) <= 8 * step / 2.0 + 0.5);
    const double mean = std::pow(10, -psnr(gray_of(x), gray_of(back)) / 10) * 255 * 255;
    CHECK(std::sqrt(mean) <= step / 2.0 + 0.5);
  }
  // A picture of one shade is its DC alone.
  for (const int shade : {0, 1, 127, 128, 129, 255}) {
    const compressed_picture one =
        compress_serial(gray_of(pixels(9, 9, std::uint8_t(shade))), 100, chroma_sampling::s420);
    CHECK(one.sampling == chroma_sampling::s444);
    CHECK(one.components[0].levels.at(0, 0) == 8 * (shade - 128));
    CHECK(zeros_per_block(one) == (shade == 128 ? 64 : 63));
    CHECK(reconstruct_serial(one) == gray_of(pixels(9, 9, std::uint8_t(shade))));
  }
}

TEST_CASE("peak signal-to-noise ratio, by hand") {
  const image a(10, 10, 3, std::vector<std::uint8_t>(300, 100));
  image b = a;
  CHECK(psnr(a, b) == std::numeric_limits<double>::infinity());
  b.at(3, 4, 1) = 103;  // one error of 3 in 300 values
  CHECK(psnr(a, b) == doctest::Approx(10 * std::log10(255.0 * 255 * 300 / 9)));
  CHECK(psnr(b, a) == psnr(a, b));
  const image black(2, 2, 1), white(2, 2, 1, {255, 255, 255, 255});
  CHECK(psnr(black, white) == doctest::Approx(0.0));
  CHECK_THROWS_AS(psnr(a, black), std::invalid_argument);
}

TEST_CASE("structural similarity, by hand and by its definition") {
  const pixels x = random_pixels(17, 13, 1), y = random_pixels(17, 13, 2);
  CHECK(ssim(x, x) == doctest::Approx(1.0).epsilon(1e-12));
  CHECK(ssim(x, y) == doctest::Approx(ssim(y, x)).epsilon(1e-12));
  // Two shades: no variance, only means.
  const double c1 = 2.55 * 2.55, c2 = 7.65 * 7.65;
  CHECK(ssim(pixels(12, 30, 100), pixels(12, 30, 50)) ==
        doctest::Approx((2 * 5000 + c1) / (12500 + c1)).epsilon(1e-12));
  // Of 1 x 1 pixel as well.
  CHECK(ssim(pixels(1, 1, 100), pixels(1, 1, 50)) ==
        doctest::Approx((2 * 5000 + c1) / (12500 + c1)).epsilon(1e-12));

  // 121 weights, 7 x 3 places.
  double weights[11][11], sum = 0, mean = 0;
  for (int i = 0; i < 11; ++i)
    for (int j = 0; j < 11; ++j)
      sum += weights[i][j] = std::exp(-((i - 5) * (i - 5) + (j - 5) * (j - 5)) / 4.5);
  for (int top = 0; top < 3; ++top)
    for (int left = 0; left < 7; ++left) {
      double mx = 0, my = 0, vx = 0, vy = 0, vxy = 0;
      const auto each = [&](const auto& add) {
        for (int i = 0; i < 11; ++i)
          for (int j = 0; j < 11; ++j)
            add(weights[i][j] / sum, double(x.at(top + i, left + j)), double(y.at(top + i, left + j)));
      };
      each([&](double w, double a, double b) { mx += w * a, my += w * b; });
      each([&](double w, double a, double b) {
        vx += w * (a - mx) * (a - mx), vy += w * (b - my) * (b - my), vxy += w * (a - mx) * (b - my);
      });
      mean += (2 * mx * my + c1) * (2 * vxy + c2) / ((mx * mx + my * my + c1) * (vx + vy + c2)) / 21;
    }
  CHECK(ssim(x, y) == doctest::Approx(mean).epsilon(1e-10));
  CHECK_THROWS_AS(ssim(x, pixels(17, 12)), std::invalid_argument);

  // Of color pictures, Y counts: the same Y, other colors.
  const image red(12, 12, 3, [] {
    std::vector<std::uint8_t> all;
    for (int i = 0; i < 144; ++i) all.insert(all.end(), {255, 0, 0});
    return all;
  }());
  const image gray(12, 12, 3, std::vector<std::uint8_t>(432, 76));
  CHECK(ssim(red, gray) == doctest::Approx(1.0));
  CHECK(psnr(red, gray) < 20);
}

TEST_CASE("the picture as a whole: components, tables and sizes") {
  image picture(21, 10, 3);
  for (std::size_t i = 0; i < picture.pixels().size(); ++i)
    picture.pixels()[i] = std::uint8_t(random_bits(8, i));
  for (const chroma_sampling sampling : {chroma_sampling::s444, chroma_sampling::s420}) {
    const compressed_picture ours = compress_serial(picture, 70, sampling);
    const auto planes = split(picture, sampling);
    REQUIRE(ours.components.size() == 3);
    CHECK(ours.sampling == sampling);
    for (std::size_t c = 0; c < 3; ++c) {
      const component_kind kind = c == 0 ? component_kind::luminance : component_kind::chrominance;
      CHECK(ours.components[c].steps == table_for(kind, 70));
      CHECK(ours.components[c].levels == encode_serial(planes[c], table_for(kind, 70)));
      CHECK(ours.components[c].width == planes[c].width);
      CHECK(ours.components[c].height == planes[c].height);
    }
    const image back = reconstruct_serial(ours);
    CHECK(back.width() == 21);
    CHECK(back.height() == 10);
  }
  CHECK_THROWS_AS(compress_serial(picture, 0, chroma_sampling::s444), std::invalid_argument);
}

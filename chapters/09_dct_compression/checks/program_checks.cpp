// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Whole pictures through the device and through the library, and what the program draws of them.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <vector>

#include "09_dct_compression/checks/codec_verification.hpp"
#include "09_dct_compression/dct/dct.hpp"
#include "09_dct_compression/device_codec.hpp"
#include "09_dct_compression/host/color.hpp"
#include "09_dct_compression/host/compress_serial.hpp"
#include "09_dct_compression/show/panels.hpp"
#include "09_dct_compression/show/rate_distortion.hpp"
#include "common/verify/counted_check.hpp"

using namespace tutorial;

namespace {

image gray_of(const image& color) {
  return image(color.width(), color.height(), 1, split(color, chroma_sampling::s444)[0].values);
}

dct::image view_of(const image& picture) {
  return {picture.pixels().data(), picture.width(), picture.height(), picture.channels(), 0};
}

void check_whole_picture(const image& picture, int quality, chroma_sampling sampling) {
  CAPTURE(picture.width());
  CAPTURE(picture.height());
  CAPTURE(picture.channels());
  CAPTURE(quality);
  const compressed_picture made = compress_on_device(picture, quality, sampling);
  const compressed_picture expected = compress_serial(picture, quality, sampling);
  CHECK(made.width == expected.width);
  CHECK(made.height == expected.height);
  CHECK((made.sampling == expected.sampling));
  REQUIRE(made.components.size() == expected.components.size());
  const auto samples = split(picture, expected.sampling);
  std::vector<plane<std::uint8_t>> decoded;
  for (std::size_t i = 0; i < made.components.size(); ++i) {
    const compressed_component& component = made.components[i];
    CHECK(component.width == expected.components[i].width);
    CHECK(component.height == expected.components[i].height);
    CHECK(component.steps == expected.components[i].steps);
    CHECK(verify_levels(samples[i], component.steps, component.levels, codec_way::fused));
    decoded.push_back(decode_on_device(component));
    CHECK(verify_pixels(component.levels, component.steps, decoded.back(), codec_way::fused));
  }
  // Colors are whole numbers: equal to the bit.
  CHECK(reconstruct_on_device(made) == joined(decoded, picture.width(), picture.height(), made.sampling));
}

}  // namespace

TEST_CASE("whole pictures: the device gives what the definition does, in gray and in both samplings") {
  for (const auto& [width, height] : {std::pair(1, 1), {7, 9}, {8, 8}, {16, 17}, {33, 31}, {70, 20}}) {
    const image color = sample_picture(width, height);
    check_whole_picture(gray_of(color), 75, chroma_sampling::s420);
    check_whole_picture(color, 75, chroma_sampling::s444);
    check_whole_picture(color, 75, chroma_sampling::s420);
  }
  for (const int quality : {1, 50, 100})
    check_whole_picture(sample_picture(40, 40), quality, chroma_sampling::s420);
  CHECK_THROWS_AS(compress_on_device(sample_picture(8, 8), 0, chroma_sampling::s444), std::invalid_argument);
}

TEST_CASE("the library works where it is told to") {
  const image picture = sample_picture(40, 30);
  for (const dct::processor where : {dct::processor::cpu, dct::processor::gpu}) {
    const auto launches = count_launches([&] {
      const dct::picture compressed = dct::compress(where, view_of(picture), 75, dct::sampling::s420);
      CHECK(compressed.describe().channels == 3);
      CHECK(compressed.describe().sampling == DCT_420);
      compressed.reconstruct(where);
    });
    // Colors, three planes, and back.
    if (current_device().emulated) CHECK(launches.empty() == (where == dct::processor::cpu));
  }
}

TEST_CASE("the library takes rows that are not side by side, and gives them so") {
  const image picture = sample_picture(21, 13);
  const std::size_t stride = picture.stride() + 7;
  std::vector<std::uint8_t> wide(stride * 13, 0xEE);
  for (int row = 0; row < 13; ++row)
    std::copy_n(picture.row(row).data(), picture.stride(), wide.data() + std::size_t(row) * stride);
  const dct::picture one = dct::compress(dct::processor::cpu, view_of(picture), 90);
  const dct::picture other =
      dct::compress(dct::processor::cpu, {wide.data(), 21, 13, 3, std::ptrdiff_t(stride)}, 90);
  CHECK(one.encode_jpeg() == other.encode_jpeg());
  const std::vector<std::uint8_t> result = one.reconstruct(dct::processor::cpu);
  REQUIRE(dct_reconstruct(DCT_CPU, one.get(), wide.data(), std::ptrdiff_t(stride)) == DCT_OK);
  for (int row = 0; row < 13; ++row) {
    CHECK(std::equal(wide.begin() + row * std::ptrdiff_t(stride),
                     wide.begin() + row * std::ptrdiff_t(stride) + std::ptrdiff_t(picture.stride()),
                     result.begin() + row * std::ptrdiff_t(picture.stride())));
    for (std::size_t gap = picture.stride(); gap < stride; ++gap)
      CHECK(wide[std::size_t(row) * stride + gap] == 0xEE);
  }
}

TEST_CASE("the first levels on the zig-zag path, and no others") {
  const image picture = gray_of(sample_picture(24, 16));
  const dct::picture whole = dct::compress(dct::processor::cpu, view_of(picture), 95);
  const dct_component all = whole.component(0);
  for (const int count : {1, 2, 3, 6, 64}) {
    CAPTURE(count);
    const dct::picture kept = whole.keep_first(count);
    const dct_component some = kept.component(0);
    for (int i = 0; i < 64; ++i) {
      const int v = zigzag_order()[std::size_t(i)] / 8, u = zigzag_order()[std::size_t(i)] % 8;
      for (int block = 0; block < 3; ++block) {
        const int at = v * all.padded_width + 8 * block + u;
        CHECK(some.levels[at] == (i < count ? all.levels[at] : 0));
      }
    }
  }
}

TEST_CASE("pictures side by side: each pixel in its place, white between") {
  image a(70, 3, 1), b(70, 3, 3);
  std::fill(a.pixels().begin(), a.pixels().end(), std::uint8_t(10));
  b.at(2, 69, 1) = 77;
  a.at(0, 0) = 5;
  const image both = side_by_side({a, b, a}, 2);  // 2 rows of 2, the last place empty
  REQUIRE(both.channels() == 3);
  REQUIRE(both.width() == 70 + 2 + 70);
  REQUIRE(both.height() == 3 + 2 + 3);
  for (int c = 0; c < 3; ++c) {
    CHECK(both.at(0, 0, c) == 5);
    CHECK(both.at(2, 69, c) == 10);
    CHECK(both.at(2, 70, c) == 255);
    CHECK(both.at(2, 141, c) == (c == 1 ? 77 : 0));
    CHECK(both.at(3, 0, c) == 255);
    CHECK(both.at(5, 0, c) == 5);
    CHECK(both.at(7, 141, c) == 255);
  }
  CHECK(side_by_side({a}, 1) == a);
  CHECK_THROWS_AS(side_by_side({}, 2), std::invalid_argument);
  CHECK_THROWS_AS(side_by_side({a, image(69, 3, 1)}, 2), std::invalid_argument);
}

TEST_CASE("coefficients as brightness, differences amplified") {
  image flat(20, 10, 1);  // one value: a DC in each 8x8 block, nothing else
  std::fill(flat.pixels().begin(), flat.pixels().end(), std::uint8_t(255));
  const dct::picture compressed = dct::compress(dct::processor::cpu, view_of(flat), 100);
  const image drawn = coefficient_picture(compressed);
  REQUIRE(drawn.width() == 20);
  REQUIRE(drawn.height() == 10);
  // DC = 8 (255 - 128) = 1016 of at most 1024.
  const int brightest = int(std::lround(255 * std::log(1017.0) / std::log(1025.0)));
  for (int row = 0; row < 10; ++row)
    for (int col = 0; col < 20; ++col)
      CHECK(drawn.at(row, col) == (row % 8 == 0 && col % 8 == 0 ? brightest : 0));

  image slope(8, 8, 1);  // a wave along the row: coefficients (0, u), with steps of their own
  for (int row = 0; row < 8; ++row)
    for (int col = 0; col < 8; ++col) slope.at(row, col) = std::uint8_t(30 * col);
  const dct::picture coarse = dct::compress(dct::processor::cpu, view_of(slope), 50);
  const dct_component component = coarse.component(0);
  const int coefficient = std::abs(component.levels[1] * component.steps[1]);
  CHECK(component.steps[1] != component.steps[0]);
  CHECK(coefficient > 100);
  CHECK(coefficient_picture(coarse).at(0, 1) ==
        int(std::lround(255 * std::log(1.0 + coefficient) / std::log(1025.0))));

  image other = flat;
  other.at(3, 4) = 250;
  other.at(3, 5) = 0;
  const image difference = amplified_difference(flat, other, 8);
  CHECK(difference.at(0, 0) == 128);
  CHECK(difference.at(3, 4) == 128 - 8 * 5);
  CHECK(difference.at(3, 5) == 0);
  CHECK(amplified_difference(other, flat, 8).at(3, 4) == 128 + 8 * 5);
  CHECK_THROWS_AS(amplified_difference(flat, image(20, 11, 1), 8), std::invalid_argument);
}

TEST_CASE("a higher quality costs more and gives more; half the colors cost less") {
  const std::vector<int> qualities = {10, 50, 90};
  const std::vector<rate_point> points = rate_distortion(sample_picture(64, 48), qualities);
  REQUIRE(points.size() == 6);
  for (std::size_t i = 0; i < 6; ++i) {
    CHECK(points[i].quality == qualities[i % 3]);
    CHECK(points[i].sampling == (i < 3 ? 444 : 420));
    CHECK(points[i].bits_per_pixel == doctest::Approx(8.0 * double(points[i].bytes) / (64 * 48)));
    if (i % 3 == 0) continue;
    CHECK(points[i].bytes > points[i - 1].bytes);
    CHECK(points[i].psnr > points[i - 1].psnr);
    CHECK(points[i].ssim > points[i - 1].ssim);
    CHECK(points[i].zeros_per_block < points[i - 1].zeros_per_block);
  }
  for (std::size_t i = 0; i < 3; ++i) CHECK(points[i + 3].bytes < points[i].bytes);
  CHECK(rate_distortion(gray_of(sample_picture(16, 16)), qualities).size() == 3);
}

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "08_dct8x8/host/dct_serial.hpp"
#include "09_dct_compression/host/color.hpp"
#include "09_dct_compression/host/compress_serial.hpp"
#include "09_dct_compression/host/jpeg_output.hpp"
#include "09_dct_compression/host/quantization.hpp"
#include "broken_files.hpp"
#include "common/files/image_file.hpp"
#include "common/files/input_error.hpp"
#include "common/verify/inputs.hpp"
#include "common/verify/test_picture.hpp"
#include "jpeg_judge.hpp"

using namespace tutorial;

namespace {

constexpr chroma_sampling all_samplings[] = {chroma_sampling::s444, chroma_sampling::s420};

/// Shades, edges and a little noise. In a color picture green is mirrored and blue upside down.
image test_image(int width, int height, int channels) {
  image result(width, height, channels);
  for (int c = 0; c < channels; ++c) {
    const plane<float> one = test_picture(width, height, std::uint64_t(c + 1));
    for (int row = 0; row < height; ++row)
      for (int col = 0; col < width; ++col)
        result.at(row, col, c) =
            std::uint8_t(one.at(c == 2 ? height - 1 - row : row, c == 1 ? width - 1 - col : col));
  }
  return result;
}

image random_image(int width, int height, int channels, std::uint64_t seed) {
  image result(width, height, channels);
  for (std::size_t i = 0; i < result.pixels().size(); ++i)
    result.pixels()[i] = std::uint8_t(random_bits(seed, i));
  return result;
}

std::string verdict_on_ours(const image& picture, int quality, chroma_sampling sampling) {
  const compressed_picture ours = compress_serial(picture, quality, sampling);
  return judge::verdict(jpeg_bytes(ours), ours, picture, quality);
}

}  // namespace

TEST_CASE("the tables are libjpeg's, at every quality") {
  for (int quality = 1; quality <= 100; ++quality) {
    CAPTURE(quality);
    for (const component_kind kind : {component_kind::luminance, component_kind::chrominance})
      CHECK(table_for(kind, quality) == judge::table_of_libjpeg(kind, quality));
  }
  CHECK_THROWS_AS(table_for(component_kind::luminance, 0), std::invalid_argument);
  CHECK_THROWS_AS(table_for(component_kind::luminance, 101), std::invalid_argument);
}

TEST_CASE("colors are libjpeg's, bit by bit") {
  // Blocks of one color each, with steps of 1: 8 * (Y - 128) is the DC, and no rounding hides anything. The
  // first are the corners of the cube.
  constexpr int blocks = 1000;
  image picture(8 * blocks, 8, 3);
  std::vector<std::array<std::uint8_t, 3>> colors(blocks);
  for (int block = 0; block < blocks; ++block) {
    const std::uint64_t bits = random_bits(7, std::uint64_t(block));
    for (std::size_t c = 0; c < 3; ++c)
      colors[std::size_t(block)][c] = block < 8 ? (block >> c & 1) * 255 : std::uint8_t(bits >> 8 * c);
    for (int row = 0; row < 8; ++row)
      for (int col = 8 * block; col < 8 * block + 8; ++col)
        for (int c = 0; c < 3; ++c) picture.at(row, col, c) = colors[std::size_t(block)][std::size_t(c)];
  }
  const judge::bytes file = judge::file_of_libjpeg(picture, 100, chroma_sampling::s444);
  const compressed_picture levels = judge::levels_in(file);
  const image back = judge::pixels_in(file);
  for (int block = 0; block < blocks; ++block) {
    CAPTURE(block);
    const std::array<std::uint8_t, 3>& color = colors[std::size_t(block)];
    const auto ycbcr = ycbcr_of_rgb(color[0], color[1], color[2]);
    for (std::size_t c = 0; c < 3; ++c)
      CHECK(levels.components[c].levels.at(0, 8 * block) == 8 * (int(ycbcr[c]) - 128));
    const auto rgb = rgb_of_ycbcr(ycbcr[0], ycbcr[1], ycbcr[2]);
    for (int c = 0; c < 3; ++c) CHECK(int(back.at(0, 8 * block, c)) == int(rgb[std::size_t(c)]));
  }
}

TEST_CASE("libjpeg reads what we wrote, and makes of it what we do: all small sizes") {
  for (int width = 1; width <= 18; ++width)
    for (const int height : {1, 2, 7, 8, 9, 15, 16, 17, 33}) {
      CAPTURE(width);
      CAPTURE(height);
      const std::uint64_t seed = std::uint64_t(100 * width + height);
      const int quality = 20 + 5 * (width % 17);
      CHECK(verdict_on_ours(random_image(width, height, 1, seed), quality, chroma_sampling::s444) == "");
    }
  const std::array<int, 2> sizes[] = {{1, 1}, {2, 1},   {1, 2},   {7, 9},  {8, 8},
                                      {9, 7}, {16, 16}, {17, 15}, {33, 31}};
  for (const chroma_sampling sampling : all_samplings)
    for (const std::array<int, 2>& size : sizes) {
      const int width = size[0], height = size[1];
      CAPTURE(width);
      CAPTURE(height);
      CHECK(verdict_on_ours(test_image(width, height, 3), 80, sampling) == "");
    }
}

TEST_CASE("as good and as small as libjpeg's own") {
  for (const int quality : {10, 25, 50, 75, 90, 95}) {
    CAPTURE(quality);
    CHECK(verdict_on_ours(test_image(301, 203, 1), quality, chroma_sampling::s444) == "");
    for (const chroma_sampling sampling : all_samplings) {
      CAPTURE(int(sampling));
      CHECK(verdict_on_ours(test_image(301, 203, 3), quality, sampling) == "");
    }
  }
}

TEST_CASE("the largest levels have codes") {
  // The signs of each basis wave, at full contrast and without quantization: the largest coefficient there
  // can be.
  for (int v = 0; v < 8; ++v)
    for (int u = 0; u < 8; ++u) {
      CAPTURE(v);
      CAPTURE(u);
      image picture(16, 8, 1);
      for (int row = 0; row < 8; ++row)
        for (int col = 0; col < 8; ++col) {
          const bool above = (dct_matrix()[v][row] > 0) == (dct_matrix()[u][col] > 0);
          picture.at(row, col) = above ? 255 : 0;
          picture.at(row, 8 + col) =
              above ? 0 : 255;  // the other sign, so that DCs differ as much as they can, too
        }
      CHECK(verdict_on_ours(picture, 100, chroma_sampling::s444) == "");
    }
}

TEST_CASE("tables of their own for all three components") {
  compressed_picture ours = compress_serial(test_image(40, 24, 3), 60, chroma_sampling::s420);
  ours.components[2].steps.fill(33);
  const compressed_picture read = judge::levels_in(jpeg_bytes(ours));
  for (const std::size_t c : {0, 1, 2}) CHECK(read.components[c].steps == ours.components[c].steps);
}

TEST_CASE("what no baseline JPEG can hold is refused") {
  const compressed_picture good = compress_serial(test_image(20, 20, 3), 60, chroma_sampling::s420);
  const auto refused = [&](const auto& change) {
    compressed_picture bad = good;
    change(bad);
    CHECK_THROWS_AS(jpeg_bytes(bad), std::invalid_argument);
  };
  CHECK_NOTHROW(jpeg_bytes(good));
  CHECK_NOTHROW(jpeg_bytes(good, {.restart_interval = 65535}));
  for (const int interval : {-1, 65536})
    CHECK_THROWS_AS(jpeg_bytes(good, {.restart_interval = interval}), std::invalid_argument);
  refused([](auto& bad) { bad.components[0].levels.at(3, 3) = 1024; });
  refused([](auto& bad) { bad.components[0].levels.at(3, 3) = -1024; });
  refused([](auto& bad) { bad.components[0].levels.at(8, 8) = -1025; });
  refused([](auto& bad) { bad.components[1].steps[63] = 0; });
  refused([](auto& bad) { bad.components[1].steps[63] = 256; });
  refused([](auto& bad) { bad.components.pop_back(); });
  refused([](auto& bad) { bad.sampling = chroma_sampling::s444; });
  refused([](auto& bad) { bad.width = 0; });
  refused([](auto& bad) { bad.components[2].levels = plane<std::int16_t>(8, 16); });
  refused([](auto& bad) { bad.width = bad.components[0].width = most_jpeg_pixels + 1; });
}

TEST_CASE("the largest and the smallest size, and a file that is whole or not there") {
  const auto folder = std::filesystem::temp_directory_path() / "tutorial_judge_checks";
  std::filesystem::create_directories(folder);
  const auto file = folder / "picture.jpg";

  const image dot = test_image(1, 1, 3);
  write_jpeg(file, compress_serial(dot, 90, chroma_sampling::s420));
  CHECK(read_image(file).width() == 1);
  CHECK(std::filesystem::file_size(file) ==
        jpeg_bytes(compress_serial(dot, 90, chroma_sampling::s420)).size());

  const image line(most_jpeg_pixels, 1, 1);
  write_jpeg(file, compress_serial(line, 50, chroma_sampling::s444));
  CHECK(read_image(file).width() == most_jpeg_pixels);

  // Refused, and what was there before stays.
  const auto before = std::filesystem::file_size(file);
  CHECK_THROWS_AS(
      write_jpeg(file, compress_serial(image(1, most_jpeg_pixels + 1, 1), 50, chroma_sampling::s444)),
      input_error);
  compressed_picture bad = compress_serial(dot, 90, chroma_sampling::s444);
  bad.components[0].steps[0] = 0;
  CHECK_THROWS_AS(write_jpeg(file, bad), std::invalid_argument);
  CHECK(std::filesystem::file_size(file) == before);
  CHECK_THROWS_AS(
      write_jpeg(folder / "nowhere" / "picture.jpg", compress_serial(dot, 90, chroma_sampling::s444)),
      input_error);
  std::filesystem::remove_all(folder);
}

TEST_CASE("the judges refuse a damaged file, and one that is not baseline") {
  const image picture = test_image(64, 64, 1);
  const compressed_picture ours = compress_serial(picture, 50, chroma_sampling::s444);
  judge::bytes file = jpeg_bytes(ours);
  file.resize(file.size() / 2);
  CHECK_THROWS_AS(judge::levels_in(file), std::runtime_error);
  CHECK_THROWS_AS(judge::pixels_in(file), std::runtime_error);
  // The marker of an extended frame instead of a baseline one: libjpeg reads that, too, but it is not what we
  // promise.
  file = jpeg_bytes(ours);
  const std::array<std::uint8_t, 2> marker = {0xFF, 0xC0};
  const auto frame = std::search(file.begin(), file.end(), marker.begin(), marker.end());
  REQUIRE(frame != file.end());
  *(frame + 1) = 0xC1;
  CHECK(judge::pixels_in(file) == judge::pixels_in(jpeg_bytes(ours)));
  CHECK_THROWS_AS(judge::levels_in(file), std::runtime_error);
}

TEST_CASE("the judges refuse files that are wrong on purpose") {
  using broken::file_mistake;
  const struct {
    file_mistake made;
    std::string reason;
  } all[] = {
      {file_mistake::none, ""},
      {file_mistake::table_in_zigzag_order, "steps"},
      {file_mistake::levels_in_zigzag_order, "levels"},
      {file_mistake::blocks_transposed, "levels"},
      {file_mistake::no_level_shift, "psnr"},
      {file_mistake::truncated, "psnr"},
      {file_mistake::colors_exchanged, "psnr"},
      {file_mistake::luminance_table_for_color, "tables"},
      {file_mistake::steps_of_another_quality, "steps"},
  };
  const image picture = test_image(301, 203, 3);
  for (const auto& one : all) {
    CAPTURE(int(one.made));
    const broken::wrong_file wrong = broken::make_file(one.made, picture, 75, chroma_sampling::s420);
    const std::string verdict = judge::verdict(wrong.bytes, wrong.claimed, picture, 75);
    CHECK(verdict.substr(0, verdict.find(':')) == one.reason);
  }
}

TEST_CASE("bytes that no reader needs are noticed") {
  const image picture = test_image(301, 203, 1);
  const compressed_picture ours = compress_serial(picture, 75, chroma_sampling::s444);
  const judge::bytes right = jpeg_bytes(ours);
  // A comment behind the start of the image; its length counts itself.
  const auto with_comment = [&](std::size_t length) {
    judge::bytes file(right.begin(), right.begin() + 2);
    for (const std::size_t byte : {std::size_t{0xFF}, std::size_t{0xFE}, length / 256, length % 256})
      file.push_back(std::uint8_t(byte));
    file.resize(file.size() + length - 2, std::uint8_t(' '));
    file.insert(file.end(), right.begin() + 2, right.end());
    return file;
  };
  CHECK(judge::verdict(right, ours, picture, 75) == "");
  CHECK(judge::verdict(with_comment(right.size() / 100), ours, picture, 75) == "");
  CHECK(judge::verdict(with_comment(right.size() / 40), ours, picture, 75).substr(0, 5) == "bytes");
}

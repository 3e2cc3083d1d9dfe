// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "09_dct_compression/checks/jpeg_judge.hpp"
#include "09_dct_compression/host/compress_serial.hpp"
#include "09_dct_compression/host/jpeg_output.hpp"
#include "09_dct_compression/host/picture_quality.hpp"
#include "common/files/image_file.hpp"

using namespace tutorial;

namespace {

const std::filesystem::path data = TUTORIAL_DATA_FOLDER;

std::string verdict(const image& picture, int quality, chroma_sampling sampling) {
  const compressed_picture ours = compress_serial(picture, quality, sampling);
  return judge::verdict(jpeg_bytes(ours), ours, picture, quality);
}

}  // namespace

TEST_CASE("libjpeg has nothing against our files of the sample pictures") {
  const image gray = read_image(data / "gray.png"), color = read_image(data / "color.png");
  REQUIRE(gray.channels() == 1);
  REQUIRE(color.channels() == 3);
  for (const int quality : {1, 5, 10, 25, 50, 75, 90, 95, 98, 100}) {
    CAPTURE(quality);
    CHECK(verdict(gray, quality, chroma_sampling::s444) == "");
    CHECK(verdict(color, quality, chroma_sampling::s444) == "");
    CHECK(verdict(color, quality, chroma_sampling::s420) == "");
  }
}

TEST_CASE("better quality: more bytes, more decibels, more similar, fewer zeros") {
  const image picture = read_image(data / "color.png");
  std::size_t bytes = 0;
  double decibels = 0, similarity = 0, zeros = 64;
  for (const int quality : {5, 25, 50, 75, 95}) {
    CAPTURE(quality);
    const compressed_picture ours = compress_serial(picture, quality, chroma_sampling::s420);
    const image back = reconstruct_serial(ours);
    CHECK(jpeg_bytes(ours).size() > bytes);
    CHECK(psnr(picture, back) > decibels);
    CHECK(ssim(picture, back) > similarity);
    CHECK(zeros_per_block(ours) < zeros);
    bytes = jpeg_bytes(ours).size(), decibels = psnr(picture, back), similarity = ssim(picture, back);
    zeros = zeros_per_block(ours);
  }
}

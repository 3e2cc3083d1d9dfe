// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "09_dct_compression/host/jpeg_output.hpp"
#include "09_dct_compression/kernels/device_codec.hpp"
#include "10_bits/host/code_serial.hpp"
#include "10_bits/kernels/jpeg_on_device.hpp"
#include "test_pictures.hpp"

using namespace tutorial;

namespace {

using bytes = std::vector<std::uint8_t>;

/// What decoding says: "" where it goes well.
std::string refusal(const bytes& file) {
  try {
    decode_jpeg_on_device(file);
  } catch (const jpeg_refused& reason) {
    return reason.what();
  }
  return "";
}

bool contains(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

}  // namespace

TEST_CASE("decoding: the pixels that chapter 09 makes of the same levels") {
  const int sizes[][2] = {{1, 1}, {7, 9}, {16, 16}, {33, 50}, {100, 75}, {1021, 3}};
  for (const auto& size : sizes)
    for (int colors = 0; colors < 3; ++colors)
      for (int kind = 0; kind < 4; ++kind)
        for (const int interval : {1, 40}) {
          const image picture = test_picture(size[0], size[1], colors == 0 ? 1 : 3, picture_kind(kind), 5);
          const compressed_picture levels =
              compress_on_device(picture, 60, colors == 1 ? chroma_sampling::s444 : chroma_sampling::s420);
          const image expected = reconstruct_on_device(levels);
          for (const bool optimized : {false, true}) {
            const image ours = decode_jpeg_on_device(jpeg_bytes(levels, {optimized, interval}));
            CHECK_MESSAGE(std::ranges::equal(ours.pixels(), expected.pixels()),
                          size[0] << " x " << size[1] << " pixels, kind " << kind << ", colors " << colors
                                  << ", interval " << interval << ", optimized " << optimized);
          }
        }
}

TEST_CASE("decoding: a file that cannot be decoded is refused with the reason") {
  const image picture = test_picture(70, 40, 3, picture_kind::slopes, 3);
  const compressed_picture levels = compress_on_device(picture, 60, chroma_sampling::s420);
  const bytes good = jpeg_file_serial(levels, {2, false});
  REQUIRE(refusal(good) == "");
  CHECK(contains(refusal(jpeg_file_serial(levels, {0, false})), "no restart markers"));
  CHECK(contains(refusal({}), "no JPEG file"));
  CHECK(contains(refusal({'P', '5', ' ', '1'}), "no JPEG file"));
  const auto frame_kind = [&](std::uint8_t marker) {
    bytes file = good;
    for (std::size_t i = 0; i + 1 < file.size(); ++i)
      if (file[i] == 0xFF && file[i + 1] == 0xC0) {
        file[i + 1] = marker;
        break;
      }
    return refusal(file);
  };
  CHECK(contains(frame_kind(0xC2), "progressive"));
  CHECK(contains(frame_kind(0xC9), "arithmetically"));
  CHECK(contains(frame_kind(0xC1), "extended"));
  // Cut off anywhere, and with any byte changed: an answer, and never a crash. Cut off, it is always refused.
  int refused = 0;
  for (std::size_t length = 0; length < good.size(); length += 7)
    refused += refusal(bytes(good.begin(), good.begin() + std::ptrdiff_t(length))) != "";
  CHECK(refused == int((good.size() + 6) / 7));
  for (std::size_t i = 0; i < good.size(); i += 11)
    for (const int change : {0x01, 0x80, 0xFF}) {
      bytes file = good;
      file[i] = std::uint8_t(file[i] ^ change);
      refusal(file);
    }
}

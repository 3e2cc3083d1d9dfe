// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "09_dct_compression/device_codec.hpp"
#include "09_dct_compression/host/jpeg_output.hpp"
#include "10_bits/host/code_serial.hpp"
#include "10_bits/jpeg_on_device.hpp"
#include "common/device/check.hpp"
#include "common/verify/inputs.hpp"
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

/// Where the restart markers of a file are, and last the end of the image.
std::vector<std::size_t> markers_of(const bytes& file) {
  std::vector<std::size_t> places;
  for (std::size_t i = read_jpeg_head(file).scan_begin; i + 1 < file.size(); ++i)
    if (file[i] == 0xFF && file[i + 1] != 0) places.push_back(i);
  return places;
}

/// Rows from `row` on in noise: there, codes are many times as long as elsewhere.
image half_noise(int width, int height, int channels, int row) {
  image picture = test_picture(width, height, channels, picture_kind::one_color, 0);
  const image noise = test_picture(width, height, channels, picture_kind::noise, 1);
  const auto from = std::ptrdiff_t(std::size_t(row) * picture.stride());
  std::copy(noise.pixels().begin() + from, noise.pixels().end(), picture.pixels().begin() + from);
  return picture;
}

/// Of component c, row by row.
bytes samples_of(const jpeg_decoder& decoder, int c) {
  const auto samples = decoder.samples(c);
  const std::size_t width = std::size_t(samples.width()), height = std::size_t(samples.height());
  bytes values(width * height);
  check(cudaMemcpy2D(values.data(), width, samples.data(), samples.pitch(), width, height,
                     cudaMemcpyDeviceToHost));
  return values;
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

TEST_CASE("decoding: a decoder goes on after another one with smaller tables was made") {
  const auto file_of = [](int channels) {
    const image picture = test_picture(200, 100, channels, picture_kind::noise, 3);
    return jpeg_file_serial(compress_on_device(picture, 60, chroma_sampling::s420), {2, false});
  };
  const bytes color = file_of(3), gray = file_of(1);
  const jpeg_head color_head = read_jpeg_head(color), gray_head = read_jpeg_head(gray);
  const auto scan_of = [](const bytes& file, const jpeg_head& head) {
    return device_buffer<std::uint8_t>(bytes(file.begin() + std::ptrdiff_t(head.scan_begin), file.end()));
  };
  const device_buffer<std::uint8_t> scan = scan_of(color, color_head);
  jpeg_decoder decoder(color_head);
  decoder.decode(scan);
  const bytes expected = samples_of(decoder, 1);
  jpeg_decoder smaller(gray_head);
  decoder.decode(scan);
  CHECK(samples_of(decoder, 1) == expected);
  // CUDA has one limit for the kernel, and another thread may be about to launch with more than this decoder.
  smaller.decode(scan_of(gray, gray_head));
  const std::size_t granted = granted_shared_bytes();  // before it is set once more
  CHECK(granted == most_shared_bytes());
}

TEST_CASE("decoding: levels as large as they can be, and so the longest words") {
  compressed_picture levels =
      compress_on_device(test_picture(100, 75, 1, picture_kind::noise, 6), 60, chroma_sampling::s420);
  plane<std::int16_t>& of = levels.components[0].levels;
  const std::vector<std::int32_t> random = random_whole_numbers<std::int32_t>(of.values.size(), 7, 511);
  for (int row = 0; row < of.height; ++row)
    for (int col = 0; col < of.width; ++col) {
      const bool is_dc = row % 8 == 0 && col % 8 == 0;
      const int value = random[std::size_t(row) * std::size_t(of.width) + std::size_t(col)];
      of.at(row, col) = is_dc ? std::int16_t(value < 0 ? -1024 : 1023)
                              : std::int16_t(value < 0 ? value - 512 : value + 512);
    }
  const image expected = reconstruct_on_device(levels);
  for (const int interval : {1, 4, 40})
    CHECK(std::ranges::equal(decode_jpeg_on_device(jpeg_bytes(levels, {false, interval})).pixels(),
                             expected.pixels()));
}

TEST_CASE("decoding: a symbol that no block has is damage, also where all bits are read") {
  const image picture = test_picture(64, 32, 1, picture_kind::one_color, 0);
  bytes file = jpeg_bytes(compress_on_device(picture, 60, chroma_sampling::s420), {true, 4});
  // Codes made for one color: that of ACs has the end of a block alone, one bit long.
  const std::uint8_t table[] = {0xFF, 0xC4, 0, 20, 0x10, 1};
  const auto at = std::search(file.begin(), file.end(), std::begin(table), std::end(table));
  REQUIRE(at != file.end());
  REQUIRE(refusal(file).empty());
  at[4 + 1 + 16] = 0x10;  // a run of 1 before a level of no bits
  CHECK(contains(refusal(file), "damaged in interval 0"));
}

TEST_CASE("decoding: with the shared memory of smaller devices") {
  const image picture = test_picture(333, 210, 3, picture_kind::noise, 4);
  const compressed_picture levels = compress_on_device(picture, 60, chroma_sampling::s420);
  const bytes file = jpeg_file_serial(levels, {1, false});
  const jpeg_head head = read_jpeg_head(file);
  const device_buffer<std::uint8_t> scan(bytes(file.begin() + std::ptrdiff_t(head.scan_begin), file.end()));
  jpeg_decoder with_most(head);
  with_most.decode(scan);
  for (const int kib : {163, 99, 64, 48}) {  // compute capability 8.0, 8.6 and 12.0, 7.5; and less than any
    CAPTURE(kib);
    jpeg_decoder decoder(head, std::size_t(kib) * 1024);
    decoder.decode(scan);
    for (int c = 0; c < 3; ++c) CHECK(samples_of(decoder, c) == samples_of(with_most, c));
  }
  CHECK_THROWS_WITH_AS(jpeg_decoder(head, 20000), doctest::Contains("bytes of shared memory"), jpeg_refused);
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

TEST_CASE("decoding: what is legal but seldom is decoded, or refused with the true reason") {
  const auto file_of = [](int channels) {
    const image picture = test_picture(70, 40, channels, picture_kind::slopes, 3);
    return jpeg_file_serial(compress_on_device(picture, 60, chroma_sampling::s444), {2, false});
  };
  const bytes good = file_of(3);
  const image expected = decode_jpeg_on_device(good);
  const auto decodes = [&](const bytes& file) {
    const std::string why = refusal(file);
    REQUIRE_MESSAGE(why == "", why);
    return std::ranges::equal(decode_jpeg_on_device(file).pixels(), expected.pixels());
  };
  const auto refused = [](const bytes& file, const std::string& why) {
    const std::string message = refusal(file);
    CHECK_MESSAGE(contains(message, why), message);
    CHECK_MESSAGE(!contains(message, "damaged"), message);
  };
  const auto place_of = [&](std::uint8_t marker) {
    const std::uint8_t both[] = {0xFF, marker};
    return std::search(good.begin(), good.end(), std::begin(both), std::end(both)) - good.begin();
  };
  const auto with = [&](std::ptrdiff_t at, const bytes& more) {
    bytes file = good;
    file.insert(file.begin() + at, more.begin(), more.end());
    return file;
  };
  const std::ptrdiff_t behind_jfif = 20, frame = place_of(0xC0), codes = place_of(0xC4),
                       scan = place_of(0xDA), end = std::ptrdiff_t(good.size()) - 2;
  SUBCASE("the picture ends where its end says so") {
    bytes twice = good;
    twice.insert(twice.end(), good.begin(), good.end());
    CHECK(decodes(twice));
    CHECK(decodes(with(end + 2, {0xFF, 0xD3, 7, 0xFF, 0xFF, 0xD9, 0xFF})));
  }
  SUBCASE("fill bytes before any marker") {
    for (const std::uint8_t marker : {0xE0, 0xDB, 0xC0, 0xC4, 0xDD, 0xDA, 0xD0, 0xD3, 0xD9}) {
      CAPTURE(marker);
      for (const std::size_t more : {1, 2, 70}) CHECK(decodes(with(place_of(marker), bytes(more, 0xFF))));
    }
  }
  SUBCASE("a marker without a segment, codes that no component has, the standard's codes left out") {
    CHECK(decodes(with(frame, {0xFF, 0x01})));
    bytes other{0xFF, 0xC4, 0, 20, 0x12, 1};  // number 2, and a symbol that no baseline file has
    other.resize(6 + 15);
    other.push_back(0x0E);
    CHECK(decodes(with(codes, other)));
    bytes without = good;
    without.erase(without.begin() + codes, without.begin() + place_of(0xDD));
    CHECK(decodes(without));
  }
  SUBCASE("the height behind the picture") {
    refused(with(end, {0xFF, 0xDC, 0, 4, 0, 40}), "DNL");
    bytes file = with(end, {0xFF, 0xDC, 0, 4, 0, 40});
    file[std::size_t(frame) + 5] = file[std::size_t(frame) + 6] = 0;
    refused(file, "DNL");
  }
  SUBCASE("parts of a file, and other kinds") {
    bytes tables(good.begin(), good.begin() + frame);
    tables.insert(tables.end(), {0xFF, 0xD9});
    refused(tables, "no picture");
    bytes without = good;
    without.erase(without.begin() + place_of(0xDB), without.begin() + frame);
    refused(without, "quantization table");
    refused(with(frame, {0xFF, 0xDE, 0, 2}), "hierarchical");
  }
  SUBCASE("which colors the components are: libjpeg's rules") {
    const auto file = [&](std::string_view ids, bool jfif, int transform) {
      bytes changed = good;
      for (std::size_t c = 0; c < 3; ++c)
        changed[std::size_t(frame) + 10 + 3 * c] = changed[std::size_t(scan) + 5 + 2 * c] =
            std::uint8_t(ids[c]);
      if (transform >= 0)
        changed.insert(changed.begin() + behind_jfif, {0xFF, 0xEE, 0, 14, 'A', 'd', 'o', 'b', 'e', 0, 100, 0,
                                                       0, 0, 0, std::uint8_t(transform)});
      if (!jfif) changed.erase(changed.begin() + 2, changed.begin() + behind_jfif);
      return changed;
    };
    for (const std::string_view ids : {"\1\2\3", "RGB", "\7\x8\x9"})
      for (const int transform : {-1, 0, 1, 2}) {
        CHECK(decodes(file(ids, true, transform)));  // JFIF decides
        if (transform == 0 || (transform == -1 && ids == "RGB"))
          refused(file(ids, false, transform), "red, green, blue");
        else
          CHECK(decodes(file(ids, false, transform)));
      }
  }
}

TEST_CASE("decoding: long intervals of noise beside short ones of one color") {
  for (int colors = 0; colors < 3; ++colors) {
    const image picture =
        colors == 0 ? half_noise(512, 736, 1, 256) : half_noise(512, 448, 3, colors == 1 ? 192 : 0);
    const compressed_picture levels =
        compress_on_device(picture, 100, colors == 1 ? chroma_sampling::s444 : chroma_sampling::s420);
    const bytes file = jpeg_file_serial(levels, {colors == 1 ? 24 : colors == 2 ? 6 : 32, false});
    const std::vector<std::size_t> markers = markers_of(file);
    CHECK(markers.size() > 128);  // more than a block of threads reads
    CHECK(std::ranges::equal(decode_jpeg_on_device(file).pixels(), reconstruct_on_device(levels).pixels()));
  }
}

TEST_CASE("decoding: one decoder for many files, at any address, good and damaged ones in turn") {
  std::vector<bytes> files;
  std::vector<image> expected;
  for (const bool noisy : {false, true}) {
    const image picture =
        noisy ? half_noise(200, 70, 1, 8) : test_picture(200, 70, 1, picture_kind::slopes, 8);
    const compressed_picture levels = compress_on_device(picture, 60, chroma_sampling::s444);
    files.push_back(jpeg_file_serial(levels, {2, false}));
    expected.push_back(reconstruct_on_device(levels));
  }
  const jpeg_head head = read_jpeg_head(files[0]);
  jpeg_decoder decoder(head);
  int refused = 0;
  for (std::size_t offset = 0; offset < 17; ++offset)
    for (const std::size_t which : {0, 1, 2, 0}) {  // 2: the first one, with bytes that are wrong
      const bytes& file = files[which % 2];
      bytes moved(offset, 0xFF);
      moved.insert(moved.end(), file.begin() + std::ptrdiff_t(head.scan_begin), file.end());
      if (which == 2) std::fill_n(moved.begin() + std::ptrdiff_t(offset) + 60, 40, 0x55);
      const device_buffer<std::uint8_t> memory(moved);
      try {
        decoder.decode({memory.data() + offset, moved.size() - offset});
        plane<std::uint8_t> ours(200, 70);
        const auto samples = decoder.samples(0);
        check(cudaMemcpy2D(ours.values.data(), 200, samples.data(), samples.pitch(), 200, 70,
                           cudaMemcpyDeviceToHost));
        CHECK(std::ranges::equal(ours.values, expected[which % 2].pixels()));
      } catch (const jpeg_refused&) {
        ++refused;
        CHECK(which == 2);
      }
    }
  CHECK(refused == 17);
}

TEST_CASE("decoding: what is wrong with a damaged file, and in which interval") {
  const compressed_picture levels =
      compress_on_device(test_picture(500, 90, 1, picture_kind::slopes, 3), 60, chroma_sampling::s444);
  const bytes good = jpeg_file_serial(levels, {4, false});
  const std::vector<std::size_t> markers = markers_of(good);
  const std::string due = " markers where " + std::to_string(markers.size()) + " are due";
  REQUIRE(refusal(good) == "");
  const auto at = [](std::size_t i) { return std::ptrdiff_t(i); };
  for (const std::size_t m : {std::size_t{0}, std::size_t{31}, std::size_t{32}, markers.size() - 1}) {
    const std::string here = "in interval " + std::to_string(m);
    CAPTURE(m);
    bytes file = good;  // one too few
    file.erase(file.begin() + at(markers[m]), file.begin() + at(markers[m] + 2));
    CHECK(contains(refusal(file), "has " + std::to_string(markers.size() - 1) + due));
    file = good;  // one too many
    file.insert(file.begin() + at(markers[m]), {0xFF, 0xD3});
    CHECK(contains(refusal(file), "has " + std::to_string(markers.size() + 1) + due));
    file = good;  // another number
    file[markers[m] + 1] = std::uint8_t(0xD0 + (m + 3) % 8);
    CHECK(contains(refusal(file), here));
    file = good;  // a byte more than its blocks take
    file.insert(file.begin() + at(markers[m]), 0x00);
    CHECK(contains(refusal(file), here));
    file = good;  // the last byte is gone
    file.erase(file.begin() + at(markers[m] - 1));
    if (good[markers[m] - 2] != 0xFF) CHECK(contains(refusal(file), here));
    file = good;  // all its bytes are gone
    file.erase(file.begin() + at(m == 0 ? read_jpeg_head(good).scan_begin : markers[m - 1] + 2),
               file.begin() + at(markers[m]));
    CHECK(contains(refusal(file), here));
    file = good;  // words that the code does not have
    for (std::size_t i = 1; i <= 4; ++i) file[markers[m] - i] = i % 2 == 1 ? 0x00 : 0xFF;
    CHECK(contains(refusal(file), here));
    file.resize(markers[m]);  // nothing from here on
    CHECK(contains(refusal(file), "has " + std::to_string(m) + due));
  }
  // Two are wrong: the first one is named.
  bytes file = good;
  file[markers[20] + 1] ^= 1;
  file.insert(file.begin() + at(markers[7]), 0x00);
  CHECK(contains(refusal(file), "in interval 7"));
}

TEST_CASE("decoding: any bytes behind a head get an answer") {
  const compressed_picture levels =
      compress_on_device(test_picture(90, 60, 3, picture_kind::slopes, 3), 60, chroma_sampling::s420);
  const bytes good = jpeg_file_serial(levels, {1, false});
  const jpeg_head head = read_jpeg_head(good);
  jpeg_decoder decoder(head);
  const std::vector<std::size_t> markers = markers_of(good);
  int accepted = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    bytes scan;  // as many markers as are due, with the numbers that are due, and anything between them
    for (std::size_t m = 0; m < markers.size(); ++m) {
      for (std::uint64_t i = random_bits(seed, m) % 400; i > 0; --i) {
        const std::uint64_t bits = random_bits(seed + 1000 * m, i);
        const auto byte = std::uint8_t(seed % 3 == 0 ? 0xFF : seed % 3 == 1 ? bits % 4 * 0x55 : bits);
        scan.push_back(byte);
        if (byte == 0xFF) scan.push_back(std::uint8_t(seed % 2 == 0 ? 0x00 : 0xC0));
      }
      scan.insert(scan.end(), {good[markers[m]], good[markers[m] + 1]});
    }
    try {
      decoder.decode(device_buffer<std::uint8_t>(scan));
      ++accepted;
    } catch (const jpeg_refused& reason) {
      CHECK(contains(reason.what(), "the file is damaged in interval"));
    }
  }
  CHECK(accepted == 0);
}

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "09_dct_compression/checks/jpeg_judge.hpp"
#include "10_bits/jpeg_decoder.hpp"
#include "10_bits/jpeg_on_device.hpp"
#include "common/device/device.hpp"
#include "common/verify/counted_check.hpp"
#include "common/verify/inputs.hpp"
#include "libjpeg_files.hpp"
#include "test_pictures.hpp"

using namespace tutorial;

namespace {

using bytes = std::vector<std::uint8_t>;
image of_libjpeg(const bytes& file) { return judge::pixels_in(file, judge::libjpeg_ways::its_own); }

/// Small pieces, so that small pictures have several chunks, and readers that are not in step.
constexpr piece_shape small_shapes[] = {{2, 32, 0, 0, 1000}, {2, 32, 4, 64, 1000}, {4, 64, 8, 0, 1000}};

constexpr reading_way ways[] = {reading_way::chunks, reading_way::intervals};

/// "" where every way to read it on the device makes the picture.
std::string differs(const bytes& file, const image& expected) {
  const jpeg_head head = read_jpeg_head(file);
  if (!head.why_host.empty()) return head.why_host;
  const device_buffer<std::uint8_t> scan(std::span<const std::uint8_t>(file).subspan(head.scan_begin));
  const auto says = [&](const std::string& way, jpeg_decoder decoder) -> std::string {
    decoder.decode(scan);
    if (const std::string why = decoder.why_not(); !why.empty()) return way + ": " + why;
    const image ours = decoder.picture();
    const auto [mine, theirs] = std::ranges::mismatch(ours.pixels(), expected.pixels());
    if (mine == ours.pixels().end()) return "";
    return way + ": value " + std::to_string(mine - ours.pixels().begin()) + " is " + std::to_string(*mine) +
           ", libjpeg's " + std::to_string(*theirs);
  };
  // Small pictures of noise take more patience than libjpeg takes time.
  piece_shape patient = jpeg_decoder::shape_for(head, scan.size());
  patient.patience = 1000;
  std::string all = says("guessing", jpeg_decoder(head, reading_way::guessing, piece_shape{2, 128, 0, 0})) +
                    says("chunks", jpeg_decoder(head, reading_way::chunks, patient)) +
                    says("intervals", jpeg_decoder(head, reading_way::intervals, std::nullopt));
  for (const piece_shape& shape : small_shapes)
    all += says("small chunks", jpeg_decoder(head, reading_way::chunks, shape));
  piece_shape word_by_word = small_shapes[2];
  word_by_word.words_of_look = 1;
  all += says("word by word", jpeg_decoder(head, reading_way::chunks, word_by_word));
  return all;
}

/// Why a decoder of chunks does not make a picture of the file.
std::string why_not(const bytes& file, const piece_shape& shape) {
  const jpeg_head head = read_jpeg_head(file);
  const device_buffer<std::uint8_t> scan(std::span<const std::uint8_t>(file).subspan(head.scan_begin));
  jpeg_decoder decoder(head, reading_way::chunks, shape);
  decoder.decode(scan);
  return decoder.why_not();
}

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

bytes with(const bytes& file, std::ptrdiff_t at, const bytes& more) {
  bytes result = file;
  result.insert(result.begin() + at, more.begin(), more.end());
  return result;
}

std::ptrdiff_t place_of(const bytes& file, std::uint8_t marker) {
  const std::uint8_t both[] = {0xFF, marker};
  return std::search(file.begin(), file.end(), std::begin(both), std::end(both)) - file.begin();
}

}  // namespace

TEST_CASE("decoding: every pixel is libjpeg's, whatever the sampling, with markers and without") {
  const std::vector<std::vector<int>> samplings = {{},           {11, 11, 11}, {22, 11, 11}, {21, 11, 11},
                                                   {12, 11, 11}, {41, 11, 11}, {42, 11, 11}, {22, 21, 12},
                                                   {11, 22, 22}, {14, 12, 11}};
  const auto agrees = [](int width, int height, picture_kind kind, const std::vector<int>& sampling,
                         int interval) {
    const bytes file = file_by_libjpeg(test_picture(width, height, sampling.empty() ? 1 : 3, kind, 5),
                                       {.quality = kind == picture_kind::noise ? 90 : 60,
                                        .sampling = sampling,
                                        .restart_interval = interval,
                                        .is_optimized = interval == 7});
    CAPTURE(width);
    CAPTURE(interval);
    CAPTURE(int(kind));
    for (const int factors : sampling) CAPTURE(factors);
    CHECK(differs(file, of_libjpeg(file)) == "");
  };
  for (const std::vector<int>& sampling : samplings) {
    agrees(3, 5, picture_kind::slopes, sampling, 0);
    agrees(49, 34, picture_kind::slopes, sampling, 0);
  }
  for (std::size_t i = 0; i < 3; ++i)
    for (const int interval : {0, 1, 7}) {
      agrees(1, 1, picture_kind::slopes, samplings[i], interval);
      agrees(75, 52, picture_kind::noise, samplings[i], interval);
    }
  agrees(333, 3, picture_kind::slopes, samplings[2], 7);
}

TEST_CASE("decoding: qualities, long words, one color") {
  for (const int quality : {1, 100})
    for (const picture_kind kind :
         {picture_kind::noise, picture_kind::slopes, picture_kind::one_wave, picture_kind::one_color})
      for (const int channels : {1, 3}) {
        const bytes file = file_by_libjpeg(test_picture(90, 70, channels, kind, 2),
                                           {.quality = quality, .sampling = {22, 11, 11}});
        CAPTURE(quality);
        CAPTURE(int(kind));
        const image expected = of_libjpeg(file);
        const decoded_jpeg decoded = decode_jpeg_on_device(file);
        CHECK(decoded.picture == expected);
        if (quality == 1 && kind != picture_kind::one_color) CHECK(decoded.why_host == "");
      }
}

TEST_CASE("decoding: what a device does not read, the host does, and says so") {
  const image picture = test_picture(83, 61, 3, picture_kind::slopes, 4);
  const auto decodes = [](const bytes& file, const std::string& why) {
    const decoded_jpeg decoded = decode_jpeg_on_device(file);
    CHECK(decoded.why_host == why);
    CHECK(decoded.picture == of_libjpeg(file));
  };
  for (const std::vector<int>& sampling : {std::vector<int>{11, 11, 11}, std::vector<int>{22, 11, 11}}) {
    decodes(file_by_libjpeg(picture, {.sampling = sampling, .is_progressive = true}), "it is progressive");
    decodes(file_by_libjpeg(picture, {.sampling = sampling, .is_arithmetic = true}),
            "it is arithmetically coded");
    decodes(file_by_libjpeg(picture, {.sampling = sampling, .restart_interval = 5, .has_scans = true}),
            "it has several scans");
  }
  bytes without = file_by_libjpeg(picture, {.quality = 30, .is_progressive = true});  // its last scan
  const std::uint8_t begin[] = {0xFF, 0xDA};
  without.erase(std::find_end(without.begin(), without.end(), std::begin(begin), std::end(begin)),
                without.end() - 2);
  decodes(without, "it is progressive");
}

TEST_CASE("decoding: colors of other kinds") {
  const image picture = test_picture(40, 30, 3, picture_kind::slopes, 6);
  const bytes rgb = file_by_libjpeg(picture, {.sampling = {11, 11, 11}, .colors = libjpeg_kind::rgb});
  CHECK(differs(rgb, of_libjpeg(rgb)) == "");
  for (const auto colors : {libjpeg_kind::cmyk, libjpeg_kind::ycck}) {  // libjpeg marks both as Adobe's
    const bytes file =
        file_by_libjpeg(picture, {.quality = 95, .sampling = {11, 11, 11, 11}, .colors = colors});
    const decoded_jpeg decoded = decode_jpeg_on_device(file);
    CHECK(decoded.why_host == "");
    const bytes inks = inks_by_libjpeg(file);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < decoded.picture.pixels().size(); ++i)
      wrong += decoded.picture.pixels()[i] != (inks[i / 3 * 4 + i % 3] * inks[i / 3 * 4 + 3] + 127) / 255;
    CHECK(wrong == 0);
  }
}

TEST_CASE("decoding: what is legal but seldom") {
  const image picture = test_picture(70, 40, 3, picture_kind::slopes, 3);
  const bytes good = file_by_libjpeg(picture, {.sampling = {11, 11, 11}, .restart_interval = 2});
  const image expected = of_libjpeg(good);
  const auto decodes = [&](const bytes& file) { CHECK(differs(file, expected) == ""); };
  bytes twice = good;
  twice.insert(twice.end(), good.begin(), good.end());
  decodes(twice);
  decodes(with(good, std::ptrdiff_t(good.size()), {0xFF, 0xD3, 7, 0xFF, 0xFF, 0xD9, 0xFF}));
  for (const std::uint8_t marker : {0xE0, 0xDB, 0xC0, 0xC4, 0xDD, 0xDA, 0xD0, 0xD3, 0xD9}) {
    CAPTURE(marker);
    for (const std::size_t more : {1, 70}) decodes(with(good, place_of(good, marker), bytes(more, 0xFF)));
  }
  decodes(with(good, place_of(good, 0xC0), {0xFF, 0xFE, 0, 4, 'h', 'i'}));
  bytes zeros = good;  // one of the ones that fill a byte is a zero
  for (const std::uint8_t marker : {0xD0, 0xD1, 0xD2, 0xD3})
    zeros[std::size_t(place_of(good, marker)) - 1] ^= 1;
  decodes(zeros);
  bytes without = good;  // the standard's codes
  const std::ptrdiff_t codes = place_of(good, 0xC4);
  without.erase(without.begin() + codes, without.begin() + place_of(good, 0xDD));
  decodes(without);
  const bytes large_steps =
      file_by_libjpeg(picture, {.quality = 1, .sampling = {22, 11, 11}, .is_baseline = false});
  CHECK(differs(large_steps, of_libjpeg(large_steps)) == "");
  const bytes turned = with(good, 20, exif_with_orientation(6));
  CHECK(decode_jpeg_on_device(turned).orientation == 6);
}

TEST_CASE("decoding: pictures whose readers are never in step end, too") {
  image board(512, 256, 1);
  for (std::size_t i = 0; i < board.pixels().size(); ++i)
    board.pixels()[i] = (i / 8 + i / 512 / 8) % 2 == 0 ? 0 : 255;
  for (const image& picture : {board, image(640, 512, 1)}) {
    const bytes file = file_by_libjpeg(picture, {.quality = 90, .is_optimized = true});
    const decoded_jpeg decoded = decode_jpeg_on_device(file);
    CHECK(decoded.picture == of_libjpeg(file));
    // Rather than read piece after piece, they give up.
    if (picture == board) CHECK(decoded.why_host == "its readers did not come to agree");
  }
  const image usual = test_picture(256, 256, 3, picture_kind::slopes, 1);
  const bytes agreed = file_by_libjpeg(usual, {.quality = 90, .sampling = {22, 11, 11}});
  CHECK(decode_jpeg_on_device(agreed).why_host == "");
  const bytes noise = file_by_libjpeg(test_picture(120, 90, 3, picture_kind::noise, 1), {.quality = 90});
  CHECK(why_not(noise, {2, 32, 0, 0, 1}) == "its readers did not come to agree");
  // Readers of one color agree within their chunks; at the borders it takes more than 40 pieces.
  const bytes flat = file_by_libjpeg(image(160, 512, 1), {});
  CHECK(why_not(flat, {2, 32, 0, 0, 40}) == "its readers did not come to agree");
  CHECK(why_not(flat, {2, 32, 0, 0, 1000}) == "");
}

TEST_CASE("decoding: behind a marker a reader is right, whatever it guessed in front") {
  // So pieces that have a marker each are read twice, and no more.
  const bytes marked = file_by_libjpeg(test_picture(160, 160, 3, picture_kind::noise, 1),
                                       {.quality = 60, .sampling = {22, 11, 11}, .restart_interval = 1});
  CHECK(why_not(marked, {64, 32, 0, 0, 1}) == "");
}

TEST_CASE("decoding: what the lists say need not be read again") {
  const bytes file = file_by_libjpeg(test_picture(256, 128, 1, picture_kind::slopes, 1),
                                     {.quality = 60, .restart_interval = 32});
  const jpeg_head head = read_jpeg_head(file);
  const device_buffer<std::uint8_t> scan(std::span<const std::uint8_t>(file).subspan(head.scan_begin));
  jpeg_decoder decoder(head);
  const auto launches = count_launches([&] { decoder.decode(scan); });
  if (!has_counts(launches)) return;
  for (const launch_counts& each : launches)  // two barriers for the sums, one that asks whether to read
    if (each.kernel == "place_blocks_kernel") CHECK(double(each.barriers) == 3 * blocks({each}));
}

TEST_CASE("decoding: a reader of several words stops where a reader of one word would") {
  // So the same pieces are read again.
  const bytes file = file_by_libjpeg(test_picture(256, 192, 1, picture_kind::slopes, 1), {.quality = 50});
  const jpeg_head head = read_jpeg_head(file);
  const device_buffer<std::uint8_t> scan(std::span<const std::uint8_t>(file).subspan(head.scan_begin));
  const auto barriers = [&](int words_of_look) {
    piece_shape shape = small_shapes[0];
    shape.words_of_look = words_of_look;
    jpeg_decoder decoder(head, reading_way::chunks, shape);
    double all = 0;
    for (const launch_counts& each : count_launches([&] { decoder.decode(scan); }))
      if (each.kernel == "readers_in_chunks_kernel") all += double(each.barriers);
    return all;
  };
  CHECK(barriers(4) == barriers(1));
}

TEST_CASE("decoding: a decoder goes on with other files, and after damaged ones") {
  std::vector<bytes> files;
  for (const picture_kind kind : {picture_kind::noise, picture_kind::slopes})
    files.push_back(
        file_by_libjpeg(test_picture(200, 70, 1, kind, 8), {.quality = 60, .restart_interval = 11}));
  const jpeg_head head = read_jpeg_head(files[0]);
  jpeg_decoder decoder(head);
  for (std::size_t offset = 0; offset < 17; offset += 3)
    for (const std::size_t which : {0, 1, 2, 0}) {  // 2: the first one, with a run of bytes that are wrong
      bytes moved(offset, 0xFF);
      moved.insert(moved.end(), files[which % 2].begin() + std::ptrdiff_t(head.scan_begin),
                   files[which % 2].end());
      if (which == 2) std::fill_n(moved.begin() + std::ptrdiff_t(offset) + 60, 40, 0xFF);
      const device_buffer<std::uint8_t> memory(moved);
      decoder.decode({memory.data() + offset, moved.size() - offset});
      const bool good = decoder.why_not().empty();
      CHECK(good == (which != 2));
      if (good) CHECK(decoder.picture() == of_libjpeg(files[which]));
    }
}

TEST_CASE("decoding: a file that cannot be decoded is refused with the reason") {
  const image picture = test_picture(70, 40, 3, picture_kind::slopes, 3);
  const bytes good = file_by_libjpeg(picture, {.sampling = {22, 11, 11}, .restart_interval = 2});
  CHECK(refusal(good) == "");
  CHECK(contains(refusal({}), "libjpeg: "));
  CHECK(contains(refusal({'P', '5', ' ', '1'}), "Not a JPEG file"));
  bytes precise = good;
  precise[std::size_t(place_of(good, 0xC0)) + 4] = 12;
  CHECK(contains(refusal(precise), "precision"));
  // How many lines there are, behind the first scan: libjpeg does not wait for that, and a marker that says
  // what is known already it skips.
  const bytes lines = {0xFF, 0xDC, 0, 4, 0, 40};
  bytes later = with(good, std::ptrdiff_t(good.size()) - 2, lines);
  CHECK(decode_jpeg_on_device(later).picture == of_libjpeg(good));
  later[std::size_t(place_of(later, 0xC0)) + 6] = 0;
  CHECK(contains(refusal(later), "DNL not supported"));
  const bytes gray =
      file_by_libjpeg(test_picture(70, 40, 1, picture_kind::slopes, 3), {.restart_interval = 2});
  bytes hollow = gray;
  hollow.erase(hollow.begin() + place_of(gray, 0xD0) + 2, hollow.begin() + place_of(gray, 0xD1));
  CHECK(refusal(hollow) != "");
  int refused = 0;
  for (std::size_t length = 0; length < good.size(); length += 97)
    refused += refusal(bytes(good.begin(), good.begin() + std::ptrdiff_t(length))) != "";
  CHECK(refused == int((good.size() + 96) / 97));
}

TEST_CASE("decoding: an interval that has too few blocks is refused, whatever was there before") {
  const auto of_color = [](int gray) {
    image picture(56, 64, 1);
    std::ranges::fill(picture.pixels(), std::uint8_t(gray));
    return file_by_libjpeg(picture, {.quality = 60, .restart_interval = 8});
  };
  // 7 intervals of 48 bits, and of 56: where the blocks of the last one were, another has its blocks.
  const bytes before = of_color(128), good = of_color(200);
  const jpeg_head head = read_jpeg_head(good);
  const auto last = good.end() - 9;
  bytes few(good.begin(), last + 5), none(good.begin(), last);  // five blocks, and two bits that fill
  few.back() |= 3;
  jpeg_decoder decoder(head);
  const auto decodes = [&](const bytes& file) {
    const device_buffer<std::uint8_t> scan(std::span<const std::uint8_t>(file).subspan(head.scan_begin));
    decoder.decode(scan);
    return decoder.why_not().empty();
  };
  for (bytes* const file : {&few, &none}) {
    file->insert(file->end(), {0xFF, 0xD9});
    CHECK(decodes(before));
    CHECK(!decodes(*file));
  }
  CHECK(decodes(good));
}

TEST_CASE("decoding: who reads an interval finds what is wrong with it, as readers of pieces do") {
  const auto accepted = [](const bytes& head_of, const bytes& coded, reading_way way) {
    const jpeg_head head = read_jpeg_head(head_of);
    const device_buffer<std::uint8_t> scan(coded);
    jpeg_decoder decoder(head, way, std::nullopt);
    decoder.decode(scan);
    return decoder.why_not().empty();
  };
  const auto both = [&](const bytes& head_of, const bytes& coded, bool good) {
    for (const reading_way way : ways) CHECK(accepted(head_of, coded, way) == good);
  };
  const auto joined = [](std::initializer_list<bytes> parts) {
    bytes all;
    for (const bytes& part : parts) all.insert(all.end(), part.begin(), part.end());
    return all;
  };
  // A difference of 2047, and no more: nine of them are no DC that a picture has, eight are.
  const bytes step = {0xFF, 0, 0x7F, 0xFA}, marker = {0xFF, 0xD0}, end = {0xFF, 0xD9};
  bytes eight;
  for (int i = 0; i < 8; ++i) eight.insert(eight.end(), step.begin(), step.end());
  both(file_by_libjpeg(image(128, 8, 1), {.restart_interval = 8}), joined({eight, marker, eight, end}), true);
  both(file_by_libjpeg(image(144, 8, 1), {.restart_interval = 9}),
       joined({eight, step, marker, eight, step, end}), false);
  // No DC begins with nine ones, whatever is behind them.
  const bytes two = file_by_libjpeg(image(16, 8, 1), {.restart_interval = 1});
  for (int byte = 0x80; byte < 0xFF; ++byte)
    both(two, joined({step, marker, {0xFF, 0, std::uint8_t(byte), 0xAA}, end}), false);
  // An interval that lacks nearly all of its blocks.
  const bytes many = file_by_libjpeg(image(8, 8 * 1000, 1), {.restart_interval = 500});
  both(many, joined({step, marker, step, end}), false);
}

TEST_CASE("decoding: some intervals are much longer than others") {
  image picture(8, 8 * 256, 1);
  const image noise = test_picture(8, 8 * 64, 1, picture_kind::noise, 1);
  std::ranges::copy(noise.pixels(), picture.pixels().begin());
  const bytes file = file_by_libjpeg(picture, {.quality = 95, .restart_interval = 1});
  CHECK(differs(file, of_libjpeg(file)) == "");
}

TEST_CASE("decoding: too few blocks are refused, also where the last byte ends a long symbol") {
  const jpeg_head head = read_jpeg_head(file_by_libjpeg(image(8, 24, 1), {.quality = 100}));
  jpeg_decoder decoder(head);
  const auto decodes = [&](const image& picture) {
    const bytes file = file_by_libjpeg(picture, {.quality = 100});
    const device_buffer<std::uint8_t> scan(std::span<const std::uint8_t>(file).subspan(head.scan_begin));
    decoder.decode(scan);
    return decoder.why_not().empty();
  };
  CHECK(decodes(image(8, 24, 1)));  // of its three blocks, the last one is where others have their first one
  for (std::uint64_t seed = 0; seed < 64; ++seed) {
    image two = test_picture(8, 16, 1, picture_kind::noise, seed);
    for (std::size_t i = 0; i < 64; ++i) two.pixels()[i] = std::uint8_t(10 * (i % 8) + two.pixels()[i] % 4);
    CHECK(!decodes(two));
  }
}

TEST_CASE("decoding: a damaged file is libjpeg's picture, or refused where libjpeg warns") {
  int accepted = 0, on_device = 0;
  for (std::uint64_t seed = 0; seed < 160; ++seed) {
    const int interval = int(seed % 3);
    const bytes good =
        file_by_libjpeg(test_picture(57, 41, seed % 2 == 0 ? 1 : 3,
                                     seed % 4 < 2 ? picture_kind::slopes : picture_kind::noise, seed),
                        {.quality = 70,
                         .sampling = {22, 11, 11},
                         .restart_interval = interval,
                         .is_optimized = seed % 5 == 0});
    bytes file = good;
    const std::size_t begin = seed % 8 == 0 ? 0 : read_jpeg_head(good).scan_begin;
    for (std::uint64_t i = 0; i <= seed % 3; ++i) {
      const std::uint64_t bits = random_bits(seed, i);
      const std::size_t at = begin + bits % (file.size() - begin);
      if (bits >> 60 < 12)
        file[at] = std::uint8_t(file[at] ^ 1 << (bits >> 40) % 8);
      else
        file.erase(file.begin() + std::ptrdiff_t(at));
    }
    CAPTURE(seed);
    image expected(1, 1, 1), by_small_chunks(1, 1, 1);
    std::string why;
    bool accepts = false;
    try {
      jpeg_head head = read_jpeg_head(file);
      if (std::int64_t{head.width} * head.height > 1 << 20) continue;
      jpeg_decoder decoder(head, seed % 3 == 0 ? reading_way::chunks : ways[seed / 3 % 2],
                           small_shapes[seed % 3]);
      const device_buffer<std::uint8_t> scan(std::span<const std::uint8_t>(file).subspan(head.scan_begin));
      decoder.decode(scan);
      accepts = decoder.why_not().empty();
      if (accepts) by_small_chunks = decoder.picture();
      decoder.decode_levels(read_levels_on_host(file, head), head);
      expected = decoder.picture();
    } catch (const jpeg_refused& refused) {
      why = refused.what();
    }
    if (accepts) CHECK(why == "");
    if (accepts && why.empty()) CHECK(by_small_chunks == expected);
    if (seed >= 80) continue;  // the whole way takes longer
    CHECK(refusal(file) == why);
    if (!why.empty()) continue;
    const decoded_jpeg decoded = decode_jpeg_on_device(file);
    CHECK(decoded.picture == (decoded.why_host.empty() ? expected : of_libjpeg(file)));
    ++accepted, on_device += decoded.why_host.empty();
  }
  CHECK(accepted > 20);
  CHECK(on_device > 10);
}

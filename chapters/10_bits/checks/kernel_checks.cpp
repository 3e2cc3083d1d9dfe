// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <stdlib.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "09_dct_compression/device_codec.hpp"
#include "09_dct_compression/host/jpeg_output.hpp"
#include "10_bits/encode_strips.hpp"
#include "10_bits/host/jpeg_header.hpp"
#include "10_bits/jpeg_on_device.hpp"
#include "10_bits/kernels/encode/encode_split_tiles.hpp"
#include "10_bits/kernels/encode/encode_stepwise.hpp"
#include "10_bits/kernels/encode/encode_tiles.hpp"
#include "10_bits/kernels/file_to_host.hpp"
#include "common/device/device.hpp"
#include "common/device/device_memory.hpp"
#include "common/device/pinned_buffer.hpp"
#include "common/verify/child_process.hpp"
#include "common/verify/counted_check.hpp"
#include "refused_launches.hpp"
#include "test_pictures.hpp"

using namespace tutorial;

namespace {

using make_encoder =
    std::function<std::unique_ptr<jpeg_encoder>(const jpeg_description&, const jpeg_coding&)>;

/// "" or how the encoder's file differs from the one that libjpeg writes for the levels of chapter 09's
/// kernel.
std::string verdict(const make_encoder& make, const image& picture, int quality, chroma_sampling sampling,
                    const jpeg_coding& coding) {
  const compressed_picture levels = compress_on_device(picture, quality, sampling);
  const std::vector<std::uint8_t> theirs = jpeg_bytes(levels, {coding.optimized, coding.restart_interval});
  const jpeg_description description = description_of(picture, quality, sampling);
  const device_picture pixels = on_device(picture, sampling);
  device_buffer<std::uint8_t> file(roomy_file_size(description));
  const std::unique_ptr<jpeg_encoder> encoder = make(description, coding);
  return file_difference(encoded_file(*encoder, pixels.planes(), file), theirs);
}

/// Sizes without and with an edge, one block, one tile and several; noise makes every tile the slow way.
using size = std::array<int, 2>;
void check_encoder(const make_encoder& make, const std::vector<jpeg_coding>& codings,
                   const std::vector<size>& sizes = {
                       {1, 1}, {7, 9}, {16, 16}, {33, 50}, {1021, 3}, {200, 136}}) {
  const chroma_sampling samplings[] = {chroma_sampling::s444, chroma_sampling::s420};
  for (const size& each : sizes)
    for (int colors = 0; colors < 3; ++colors)
      for (int kind = 0; kind < 4; ++kind) {
        const int width = each[0], height = each[1];
        // Large pictures without shared colors show nothing that gray and 4:2:0 do not, and take the longest.
        if (colors == 1 && width * height > 10000) continue;
        const int quality = kind == int(picture_kind::noise) ? 100 : 50;
        const image picture =
            test_picture(width, height, colors == 0 ? 1 : 3, picture_kind(kind), std::uint64_t(quality));
        for (const jpeg_coding& coding : codings) {
          const std::string where = verdict(make, picture, quality, samplings[colors / 2], coding);
          CHECK_MESSAGE(where.empty(), width << " x " << height << " pixels, kind " << kind << ", colors "
                                             << colors << ", interval " << coding.restart_interval
                                             << ", optimized " << coding.optimized << ": " << where);
        }
      }
}

std::vector<std::uint8_t> random_bytes(int count) {
  const image noise = test_picture(count, 1, 1, picture_kind::noise, 7);
  return {noise.pixels().begin(), noise.pixels().end()};
}

}  // namespace

TEST_CASE("stepwise: every file is libjpeg's, byte for byte") {
  check_encoder(make_stepwise_encoder, {{0, false}});
}

TEST_CASE("fused tiles: every file is libjpeg's, byte for byte") {
  check_encoder(make_fused_encoder, {{0, false}, {1, false}, {5, false}, {150, false}});
}

TEST_CASE("split tiles: every file is libjpeg's, byte for byte") {
  check_encoder(make_split_encoder, {{0, false}, {1, false}, {150, false}});
}

TEST_CASE("tiles in turns: their memory is used again, and every file is libjpeg's") {
  check_encoder([](auto& picture, auto& coding) { return make_fused_encoder_by_turns(picture, coding, 2); },
                {{0, false}, {5, false}}, {{33, 50}, {1021, 3}, {200, 136}});
  check_encoder(
      [](auto& picture, auto& coding) { return std::make_unique<split_encoder>(picture, coding, 16); },
      {{0, false}, {1, false}, {40, false}, {150, false}, {700, false}}, {{600, 136}});
}

namespace {

/// The kernel that joins the tiles of a gray picture so high, of one color: what it loads.
double loads_of_join(int tiles) {
  const int height = 64 * tiles;
  const jpeg_description description = description_of(128, height, 1, 50, chroma_sampling::s444);
  const device_picture pixels = on_device(image(128, height, 1), chroma_sampling::s444);
  device_buffer<std::uint8_t> file(roomy_file_size(description));
  device_buffer<std::uint64_t> size(1);
  split_encoder encoder(description, {0, false});
  const auto launches = count_launches([&] { encoder.encode(pixels.planes(), file, size.data()); });
  if (!has_counts(launches)) return 0;
  CHECK(launches.front().threads == 128u * unsigned(tiles));
  CHECK(launches.back().threads == 32u * unsigned(tiles));
  return double(launches.back().global_loads);
}

}  // namespace

TEST_CASE("split tiles without markers: what a tile costs does not grow with the picture") {
  // Blocks that run at the same time wait for each other, and look more often: here a child has one thread.
  if (const char* const threads = getenv("EMULATOR_THREADS");
      threads == nullptr || std::string(threads) != "1") {
    if (!current_device().emulated) return;
    const std::string before = threads == nullptr ? "" : threads;  // which is as if it were not set
    setenv("EMULATOR_THREADS", "1", 1);
    const child_result child = run_myself("--check --test-case='split tiles without*'");
    setenv("EMULATOR_THREADS", before.c_str(), 1);
    CHECK_MESSAGE(child.status == 0, child.output);
    return;
  }
  // All tiles are alike, and the header is loaded once. At most 32 blocks, of 16 tiles, look at each other.
  const double few = loads_of_join(32), more = loads_of_join(160), most = loads_of_join(320);
  CHECK((most - more) / 160 <= (more - few) / 128 + 2 * 32.0 / 16);
}

TEST_CASE("after a call that failed, launched or not, the next one has its tickets") {
  const image picture = test_picture(200, 136, 1, picture_kind::slopes, 1);
  const jpeg_description description = description_of(picture, 50, chroma_sampling::s444);
  const device_picture pixels = on_device(picture, chroma_sampling::s444);
  device_buffer<std::uint8_t> file(roomy_file_size(description));
  device_buffer<std::uint64_t> size(1);
  for (const auto make : {make_fused_encoder, make_split_encoder}) {
    const std::unique_ptr<jpeg_encoder> encoder = make(description, {5, false});
    const std::vector<std::uint8_t> expected = encoded_file(*encoder, pixels.planes(), file);
    for (int again = 0; again < 2; ++again) {
      {
        const refused_launches none;
        CHECK_THROWS_AS(encoder->encode(pixels.planes(), file, size.data()), cuda_error);
      }
      CHECK(encoded_file(*encoder, pixels.planes(), file) == expected);
      CHECK(cudaSetDevice(-1) == cudaErrorInvalidDevice);  // the launch finds this error, and goes on
      CHECK_THROWS_AS(encoder->encode(pixels.planes(), file, size.data()), cuda_error);
      CHECK(encoded_file(*encoder, pixels.planes(), file) == expected);
    }
  }
}

TEST_CASE("strips: a call that fails has waited, too: its pixels may go away") {
  const jpeg_description description = description_of(200, 136, 1, 50, chroma_sampling::s444);
  strip_encoder encoder(description, {5, false}, 3);
  device_buffer<std::uint8_t> file(roomy_file_size(description));
  device_buffer<std::uint64_t> size(1);
  const pinned_buffer<std::uint8_t> pixels(test_picture(200, 136, 1, picture_kind::slopes, 1).pixels());
  CHECK(cudaSetDevice(-1) == cudaErrorInvalidDevice);  // found by the first launch
  CHECK_THROWS_AS(encoder.encode(pixels.span().data(), file, size.data()), cuda_error);
}

TEST_CASE("one encoder for many pictures that are on the device") {
  for (const int channels : {1, 3}) {
    const int width = 72, height = 41;
    const jpeg_description description = description_of(width, height, channels, 60, chroma_sampling::s420);
    const jpeg_coding coding{3, true};
    picture_encoder encoder(description, coding);
    device_buffer<std::uint8_t> file(roomy_file_size(description));
    device_buffer<std::uint64_t> size(1);
    for (const std::uint64_t seed : {1, 2}) {
      CAPTURE(channels);
      CAPTURE(seed);
      const image picture = test_picture(width, height, channels, picture_kind::noise, seed);
      const device_plane<std::uint8_t> pixels(
          plane<std::uint8_t>(width * channels, height, {picture.pixels().begin(), picture.pixels().end()}));
      encoder.encode(pixels, file, size.data());
      CHECK(file_on_host(file, size) == encode_jpeg_on_device(picture, 60, chroma_sampling::s420, coding));
      // Where it does not fit, nothing lies behind the room.
      poison(file.span());
      encoder.encode(pixels, {file.data(), 100}, size.data());
      CHECK_THROWS_AS(file_on_host(device_span<const std::uint8_t>(file.data(), 100), size),
                      std::runtime_error);
      const std::vector<std::uint8_t> bytes = file.to_host();
      CHECK(std::all_of(bytes.begin() + 100, bytes.end(), [](std::uint8_t byte) { return byte == 0xA5; }));
      // Rows that no word can be read from.
      const device_plane_span<const std::uint8_t> askew(pixels.span().data(), width * channels, height,
                                                        std::size_t(width * channels + 1));
      CHECK_THROWS_AS(encoder.encode(askew, file, size.data()), std::invalid_argument);
    }
  }
}

TEST_CASE("a kernel brings files of any length to the host") {
  const std::vector<std::uint8_t> bytes = random_bytes(70000);
  const device_buffer<std::uint8_t> file(bytes);
  host_file host(bytes.size() - 1);
  for (const std::uint64_t size : {0, 1, 15, 16, 17, 4096, 69999}) {
    CAPTURE(size);
    const device_buffer<std::uint64_t> d_size(std::vector<std::uint64_t>{size});
    host.bring(file, d_size.data());
    const std::span<const std::uint8_t> got = host.wait();
    CHECK(std::vector<std::uint8_t>(got.begin(), got.end()) ==
          std::vector<std::uint8_t>(bytes.begin(), bytes.begin() + std::ptrdiff_t(size)));
  }
  const device_buffer<std::uint64_t> too_long(std::vector<std::uint64_t>{70000});
  host.bring(file, too_long.data());
  CHECK_THROWS_AS(host.wait(), std::runtime_error);
  const device_buffer<std::uint64_t> beyond(std::vector<std::uint64_t>{101});
  host.bring({file.data(), 100}, beyond.data());
  CHECK_THROWS_AS(host.wait(), std::runtime_error);
}

TEST_CASE("no kernel is launched with blocks that have nothing to do") {
  // 512 8x8 blocks, four tiles, and as many restart intervals as 8x8 blocks.
  const image picture = test_picture(256, 128, 1, picture_kind::noise, 3);
  const jpeg_description description = description_of(picture, 50, chroma_sampling::s444);
  const device_picture pixels = on_device(picture, chroma_sampling::s444);
  device_buffer<std::uint8_t> file(roomy_file_size(description));
  device_buffer<std::uint64_t> size(1);
  const auto blocks_of = [](const std::string& kernel, const std::function<void()>& call) {
    for (const launch_counts& each : count_launches(call))
      if (each.kernel == kernel) return each.grid[0];
    return 0u;
  };
  const auto encoding = [&](auto* make, bool optimized) {
    return [&, make, optimized] {
      make(description, {0, optimized})->encode(pixels.planes(), file, size.data());
    };
  };
  host_file host(file.span().size());
  const auto bringing = [&] { host.bring({file.data(), 65536}, size.data()); };
  if (!has_counts(count_launches(bringing))) return;
  CHECK(blocks_of("file_to_host_kernel", bringing) == 65536 / (16 * 256));
  CHECK(blocks_of("code_lengths_kernel", encoding(make_stepwise_encoder, false)) == 512 / 128);
  CHECK(blocks_of("emit_codes_kernel", encoding(make_stepwise_encoder, false)) == 512 / 128);
  CHECK(blocks_of("count_symbols_kernel", encoding(make_split_encoder, true)) == 4);

  const std::vector<std::uint8_t> marked =
      encode_jpeg_on_device(picture, 50, chroma_sampling::s444, {1, false});
  const auto decoding = [&] { decode_jpeg_on_device(marked); };
  const std::size_t begin = read_jpeg_head(marked).scan_begin, tile = 128 * 32;
  CHECK(blocks_of("clean_scan_kernel", decoding) == (begin % 16 + marked.size() - begin + tile - 1) / tile);
}

TEST_CASE("own codes: made on the device as libjpeg makes them") {
  check_encoder(make_split_encoder, {{0, true}, {7, true}}, {{1, 1}, {50, 33}});
  check_encoder(make_fused_encoder, {{0, true}}, {{1, 1}, {136, 50}});
}

TEST_CASE("strips: every file is libjpeg's, from memory of the host, call after call") {
  const size sizes[] = {{1, 1}, {7, 9}, {200, 136}, {1021, 3}, {136, 515}};
  for (const size& each : sizes)
    for (int colors = 0; colors < 3; ++colors)
      for (const int strips : {1, 3, 1000}) {
        const int width = each[0], height = each[1], interval = strips == 3 ? 5 : 0;
        const chroma_sampling sampling = colors == 1 ? chroma_sampling::s444 : chroma_sampling::s420;
        const image pictures[] = {test_picture(width, height, colors == 0 ? 1 : 3, picture_kind::slopes, 1),
                                  test_picture(width, height, colors == 0 ? 1 : 3, picture_kind::noise, 2)};
        const jpeg_description description = description_of(pictures[0], 50, sampling);
        strip_encoder encoder(description, {interval, false}, strips);
        std::vector<device_buffer<std::uint8_t>> files;
        std::vector<device_buffer<std::uint64_t>> lengths;
        const pinned_buffer<std::uint8_t> pixels[] = {pinned_buffer<std::uint8_t>(pictures[0].pixels()),
                                                      pinned_buffer<std::uint8_t>(pictures[1].pixels())};
        for (const auto& each_picture : pixels) {  // the second call does not wait for the first one
          files.emplace_back(roomy_file_size(description));
          lengths.emplace_back(1);
          encoder.encode(each_picture.span().data(), files.back(), lengths.back().data());
        }
        for (std::size_t i = 0; i < 2; ++i) {
          const compressed_picture levels = compress_on_device(pictures[i], 50, sampling);
          const std::string where =
              file_difference(file_on_host(files[i], lengths[i]), jpeg_bytes(levels, {false, interval}));
          CHECK_MESSAGE(where.empty(), width << " x " << height << " pixels, colors " << colors << ", "
                                             << strips << " strips, picture " << i << ": " << where);
        }
      }
  const jpeg_description gray = description_of(8, 8, 1, 50, chroma_sampling::s420);
  CHECK_THROWS_AS(strip_encoder(gray, {0, false}, 0), std::invalid_argument);
  CHECK_THROWS_AS(strip_encoder(gray, {0, true}, 1), std::invalid_argument);
}

TEST_CASE("encoding: codes are made only where counts of 32 bits hold all symbols") {
  const jpeg_description large = description_of(65500, 65500, 3, 50, chroma_sampling::s444);
  for (const auto make : {make_fused_encoder, make_split_encoder})
    CHECK_THROWS_WITH_AS(make(large, {0, true}), doctest::Contains("4:4:4"), std::invalid_argument);
}

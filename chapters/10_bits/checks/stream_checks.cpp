// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "09_dct_compression/checks/jpeg_judge.hpp"
#include "09_dct_compression/host/compress_serial.hpp"
#include "10_bits/encode_strips.hpp"
#include "10_bits/host/code_serial.hpp"
#include "10_bits/jpeg_decoder.hpp"
#include "10_bits/jpeg_on_device.hpp"
#include "10_bits/kernels/encode/encode_tiles.hpp"
#include "10_bits/kernels/file_to_host.hpp"
#include "common/device/check.hpp"
#include "common/device/pinned_buffer.hpp"
#include "common/verify/in_streams.hpp"
#include "test_pictures.hpp"

using namespace tutorial;

namespace {

constexpr int width = 200, height = 72, quality = 60;  // gray: two tiles
constexpr auto sampling = chroma_sampling::s420;

image picture_of(int channels, int seed) {
  return test_picture(width, height, channels, seed % 2 == 0 ? picture_kind::noise : picture_kind::slopes,
                      std::uint64_t(seed));
}
std::vector<std::uint8_t> file_of(const image& picture, const jpeg_coding& coding) {
  return jpeg_file_serial(compress_serial(picture, quality, sampling), coding);
}

/// Pixels, on the device and on the host, to a file on the device and on the host.
struct encoding {
  encoding(int channels, const jpeg_coding& coding)
      : channels(channels),
        coding(coding),
        description(description_of(width, height, channels, quality, sampling)),
        on_host(std::size_t(channels * width * height)),
        pixels(channels * width, height),
        file(roomy_file_size(description)),
        written(file.size()) {}

  void renew(int seed) {
    const image picture = picture_of(channels, seed);
    std::ranges::copy(picture.pixels(), on_host.span().begin());
    check(cudaMemcpy2D(pixels.span().data(), pixels.pitch(), on_host.data(), picture.stride(),
                       picture.stride(), std::size_t(height), cudaMemcpyHostToDevice));
    expected = file_of(picture, coding);
    poison(file.span()), poison(size.span());
    check(cudaDeviceSynchronize());
  }
  void launch(cudaStream_t stream) {
    encode(stream);
    written.bring(file, size.data(), stream);
  }
  bool is_right() {
    if (size.to_host()[0] > file.size()) return false;
    const std::span<const std::uint8_t> there = written.wait();
    return file_on_host(file, size) == expected && std::ranges::equal(there, expected);
  }

  int channels;
  jpeg_coding coding;
  jpeg_description description;
  pinned_buffer<std::uint8_t> on_host;
  device_plane<std::uint8_t> pixels;
  device_buffer<std::uint8_t> file;
  device_buffer<std::uint64_t> size{1};
  host_file written;
  std::vector<std::uint8_t> expected;
  std::function<void(cudaStream_t)> encode;
};

/// Files of one head to pixels.
struct decoding {
  decoding(int channels, int interval)
      : channels(channels),
        coding{interval, false},
        decoder(read_jpeg_head(file_of(picture_of(channels, 0), coding)),
                interval == 0 ? reading_way::chunks : reading_way::intervals,
                piece_shape{2, 64, 8, 128, 1000}),
        scan(std::size_t(4 * channels * width * height)),
        expected(1, 1, 1) {
    decoder.reserve(scan.size());
  }

  void renew(int seed) {
    const std::vector<std::uint8_t> file = file_of(picture_of(channels, seed), coding);
    std::vector<std::uint8_t> coded(file.begin() + std::ptrdiff_t(read_jpeg_head(file).scan_begin),
                                    file.end());
    coded.resize(scan.size(), 0x55);  // data behind the end
    scan.copy_from(coded);
    expected = judge::pixels_in(file, judge::libjpeg_ways::its_own);
    check(cudaDeviceSynchronize());
  }
  void launch(cudaStream_t stream) { decoder.decode(scan, stream); }
  bool is_right() { return decoder.why_not().empty() && decoder.picture() == expected; }

  int channels;
  jpeg_coding coding;
  jpeg_decoder decoder;
  device_buffer<std::uint8_t> scan;
  image expected;
};

}  // namespace

TEST_CASE("any stream: pictures to files, in graphs and in two streams at once") {
  for (const int channels : {1, 3})
    for (const jpeg_coding& coding : {jpeg_coding{0, false}, {7, false}, {0, true}}) {
      CAPTURE(channels);
      CAPTURE(coding.restart_interval);
      CAPTURE(coding.optimized);
      encoding one(channels, coding), other(channels, coding);
      const auto fails = [&](auto make) {
        auto first = make(one), second = make(other);
        one.encode = [&](cudaStream_t stream) { first(one, stream); };
        other.encode = [&](cudaStream_t stream) { second(other, stream); };
        return failure_in_streams(one, other);
      };
      CHECK(fails([](encoding& work) {
              return [encoder = picture_encoder(work.description, work.coding)](encoding& of,
                                                                                cudaStream_t stream) mutable {
                encoder.encode(of.pixels, of.file, of.size.data(), stream);
              };
            }) == "");
      if (channels == 1)
        CHECK(fails([](encoding& work) {
                return [encoder = make_split_encoder(work.description, work.coding)](encoding& of,
                                                                                     cudaStream_t stream) {
                  encoder->encode({{of.pixels.span()}}, of.file, of.size.data(), stream);
                };
              }) == "");
      if (!coding.optimized)
        CHECK(fails([](encoding& work) {
                return [encoder = strip_encoder(work.description, work.coding, 3)](
                           encoding& of, cudaStream_t stream) mutable {
                  encoder.encode(of.on_host.data(), of.file, of.size.data(), stream);
                };
              }) == "");
    }
}

TEST_CASE("any stream: files to pictures, in graphs and in two streams at once") {
  for (const int channels : {1, 3})
    for (const int interval : {0, 5}) {
      CAPTURE(channels);
      CAPTURE(interval);
      decoding one(channels, interval), other(channels, interval);
      CHECK(failure_in_streams(one, other) == "");
    }
}

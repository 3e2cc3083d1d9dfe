// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
//
// Work whose parts need nothing from each other on the device, pictures by rows and signals that live on the
// host; and a transform, whose parts need everything.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <stdexcept>

#include "01_serial_definition/convolve_serial.hpp"
#include "08_dct8x8/host/dct_serial.hpp"
#include "09_dct_compression/kernels/compress_fused.hpp"
#include "15_many_gpus/host/devices.hpp"
#include "15_many_gpus/host/spread_jpeg.hpp"
#include "15_many_gpus/host/spread_picture.hpp"
#include "15_many_gpus/host/spread_transform.hpp"
#include "15_many_gpus/kernels/from_host.hpp"
#include "common/device/pinned_buffer.hpp"
#include "common/verify/counted_check.hpp"
#include "common/verify/inputs.hpp"

using namespace tutorial;

namespace {

plane<std::uint8_t> some_picture(int width, int height) {
  plane<std::uint8_t> pixels(width, height);
  for (int row = 0; row < height; ++row)
    for (int col = 0; col < width; ++col)
      pixels.at(row, col) = std::uint8_t(127 + row * 3 % 97 - col * 5 % 61 + (row * col) % 13);
  return pixels;
}

}  // namespace

TEST_CASE("a picture by rows: the levels and pixels of one device, wherever the seams are") {
  const quantization_table steps = table_for(component_kind::luminance, 75);
  for (const auto& size : {std::pair{8, 8}, {17, 7}, {33, 41}, {64, 64}, {100, 77}, {9, 129}}) {
    const int width = size.first, height = size.second;
    const plane<std::uint8_t> pixels = some_picture(width, height);
    const device_plane<std::uint8_t> whole(pixels);
    device_plane<std::int16_t> levels(padded(width), padded(height));
    device_plane<std::uint8_t> result(width, height);
    encode_fused(whole, steps, levels);
    decode_fused(levels, steps, result);
    const plane<std::int16_t> expected_levels = levels.to_host();
    const plane<std::uint8_t> expected_pixels = result.to_host();
    for (const int parts : {1, 2, 3, 4, 16}) {
      CAPTURE(width);
      CAPTURE(height);
      CAPTURE(parts);
      spread_picture spread(width, height, devices_in_turn(parts));
      spread.bring(pixels);
      spread.encode(steps);
      CHECK((spread.levels() == expected_levels));
      spread.decode(steps);
      CHECK((spread.pixels() == expected_pixels));
    }
  }
  CHECK_THROWS_AS(spread_picture(8, 0, devices_in_turn(2)), std::invalid_argument);
  CHECK_THROWS_AS(spread_picture(8, 8, std::span<const int>()), std::invalid_argument);
  spread_picture picture(8, 8, devices_in_turn(1));
  CHECK_THROWS_AS(picture.bring(some_picture(8, 9)), std::invalid_argument);
}

TEST_CASE("a JPEG file by rows: byte for byte the file of one device, wherever the seams are") {
  const auto pixel = [](std::size_t i) { return std::uint8_t(128 + i * 7 % 83 - i * i % 41); };
  for (const auto& size : {std::pair{8, 8}, {17, 7}, {40, 64}, {33, 65}, {24, 257}, {9, 600}})
    for (const int channels : {1, 3})
      for (const chroma_sampling sampling : {chroma_sampling::s444, chroma_sampling::s420}) {
        image picture(size.first, size.second, channels);
        for (std::size_t i = 0; i < picture.pixels().size(); ++i) picture.pixels()[i] = pixel(i);
        const jpeg_description description = description_of(picture, 75, sampling);
        for (const int parts : {1, 2, 3, 4}) {
          CAPTURE(size.first);
          CAPTURE(size.second);
          CAPTURE(channels);
          CAPTURE(parts);
          spread_jpeg spread(description, devices_in_turn(parts));
          spread.bring(picture);
          spread.encode();
          CHECK((spread.file() == encode_jpeg_on_device(picture, 75, sampling, spread.coding())));
        }
      }
  const jpeg_description small = description_of(8, 8, 1, 75, chroma_sampling::s444);
  CHECK_THROWS_AS(spread_jpeg(small, std::span<const int>()), std::invalid_argument);
  spread_jpeg spread(small, devices_in_turn(2));
  CHECK_THROWS_AS(spread.bring(image(8, 9, 1)), std::invalid_argument);
}

TEST_CASE("a signal on the host, over several devices: any length, any mode, again and again") {
  for (const int parts : {1, 4, 7})
    for (const std::size_t samples : {std::size_t{1}, std::size_t{100}, std::size_t{501}})
      for (const std::size_t taps : {std::size_t{1}, std::size_t{4}, std::size_t{150}})
        for (const convolution_mode mode :
             {convolution_mode::full, convolution_mode::same, convolution_mode::valid}) {
          CAPTURE(parts);
          CAPTURE(samples);
          CAPTURE(taps);
          const auto h = random_whole_numbers<std::int32_t>(taps, 2);
          const journey<std::int32_t> filter = prepare_from_host<std::int32_t>(
              h, samples, mode, devices_in_turn(parts), {.outputs = 40, .buffers = 2});
          for (const std::uint64_t seed : {1, 3}) {
            const auto x = random_whole_numbers<std::int32_t>(samples, seed);
            std::vector<std::int32_t> y(output_length(samples, taps, mode)), expected(y.size());
            filter(x, y);
            convolve_gather<std::int32_t>(x, h, expected, mode);
            CHECK((y == expected));
          }
        }
  // However long a chunk may be, each device has one.
  const std::vector<std::int32_t> x(100, 1), h32(3, 1);
  std::vector<std::int32_t> y(100);
  const journey<std::int32_t> filter = prepare_from_host<std::int32_t>(
      h32, x.size(), convolution_mode::same, devices_in_turn(4), {.outputs = 1000, .buffers = 2});
  const auto launches = count_launches([&] { filter(x, y); });
  if (has_counts(launches)) CHECK(launches.size() == 4);
  const std::vector<float> h(3, 1);
  CHECK_THROWS_AS(prepare_from_host<float>(h, 9, convolution_mode::same, std::span<const int>()),
                  std::invalid_argument);
}

TEST_CASE("a signal on the host: where a device's share fails, its copies have ended, too") {
  const std::vector<std::int32_t> h(4, 1);
  std::vector<std::int32_t> x(2000);
  check(cudaHostRegister(x.data(), 1300 * sizeof(std::int32_t), cudaHostRegisterDefault));
  const journey<std::int32_t> filter = prepare_from_host<std::int32_t>(
      h, x.size(), convolution_mode::same, devices_in_turn(3), {.outputs = 70, .buffers = 2});
  {
    // One device has samples that are pinned, but for some of those in its last copy.
    pinned_buffer<std::int32_t> y(x.size());
    CHECK_THROWS_AS(filter(x, y.span()), cuda_error);
  }
  check(cudaHostUnregister(x.data()));
}

TEST_CASE("one transform over several devices: one bin for each exponential, and the signal again") {
  for (const int parts : {2, 4})
    for (const int length : {64, 1024}) {
      CAPTURE(parts);
      CAPTURE(length);
      spread_transform transform(std::size_t(length), devices_in_turn(parts));
      // A constant, and three exponentials, one of them in the last part of the spectrum.
      const std::vector<int> bins{0, 5, length / 2, length - 1};
      std::vector<std::complex<float>> x(static_cast<std::size_t>(length));
      for (int n = 0; n < length; ++n)
        for (std::size_t b = 0; b < bins.size(); ++b) {
          const double angle = 2 * std::numbers::pi * ((n * bins[b]) % length) / length;
          x[std::size_t(n)] += std::complex<float>(std::polar(double(b + 1), angle));
        }
      for (const int round : {1, 2}) {  // in the same memory
        CAPTURE(round);
        transform.bring(x);
        transform.forward();
        transform.order_spectrum();
        const auto spectrum = transform.take();
        for (int k = 0; k < length; ++k) {
          const auto bin = std::find(bins.begin(), bins.end(), k);
          const auto expected = bin == bins.end() ? 0.f : float((bin - bins.begin() + 1) * length);
          CAPTURE(k);
          CHECK(std::abs(spectrum[std::size_t(k)] - expected) < 2e-6f * float(length) * 4);
        }
        transform.inverse();
        const auto back = transform.take();
        double worst = 0;
        for (std::size_t n = 0; n < x.size(); ++n)
          worst = std::max(worst, double(std::abs(back[n] / float(length) - x[n])));
        CHECK(worst < 1e-5);
      }
    }
}

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "08_dct8x8/host/dct_serial.hpp"
#include "09_dct_compression/checks/broken.hpp"
#include "09_dct_compression/checks/codec_verification.hpp"
#include "09_dct_compression/compress_stepwise.hpp"
#include "09_dct_compression/host/block_factors.hpp"
#include "09_dct_compression/host/color.hpp"
#include "09_dct_compression/host/compress_serial.hpp"
#include "09_dct_compression/kernels/color_planes.hpp"
#include "09_dct_compression/kernels/compress_fused.hpp"
#include "09_dct_compression/kernels/compress_per_coefficient.hpp"
#include "09_dct_compression/kernels/compress_stepwise_vectors.hpp"
#include "09_dct_compression/kernels/factorized_dct.cuh"
#include "09_dct_compression/kernels/move_blocks.hpp"
#include "common/verify/counted_check.hpp"
#include "common/verify/in_streams.hpp"
#include "common/verify/inputs.hpp"

using namespace tutorial;

namespace {

using byte_plane = plane<std::uint8_t>;
using level_plane = plane<std::int16_t>;

byte_plane random_plane(int width, int height, std::uint64_t seed) {
  byte_plane pixels(width, height);
  for (std::size_t i = 0; i < pixels.values.size(); ++i)
    pixels.values[i] = std::uint8_t(random_bits(seed, i) >> 24);
  return pixels;
}

byte_plane made_of(int width, int height, const std::function<int(int row, int col)>& value) {
  byte_plane pixels(width, height);
  for (int row = 0; row < height; ++row)
    for (int col = 0; col < width; ++col) pixels.at(row, col) = std::uint8_t(value(row, col));
  return pixels;
}

/// One way to encode and to decode on the device.
struct device_codec_way {
  std::string name;
  codec_way way;
  std::function<void(device_plane_span<const std::uint8_t>, const quantization_table&,
                     device_plane_span<std::int16_t>)>
      encode;
  std::function<void(device_plane_span<const std::int16_t>, const quantization_table&,
                     device_plane_span<std::uint8_t>)>
      decode;
};

const device_codec_way fused{"fused", codec_way::fused, in_default_stream<encode_fused>,
                             in_default_stream<decode_fused>};
const device_codec_way stepwise{"stepwise", codec_way::stepwise,
                                [](auto pixels, const auto& steps, auto levels) {
                                  stepwise_codec codec(pixels.width(), pixels.height());
                                  codec.encode(pixels, steps, levels);
                                  check(cudaDeviceSynchronize());
                                },
                                [](auto levels, const auto& steps, auto pixels) {
                                  stepwise_codec codec(pixels.width(), pixels.height());
                                  codec.decode(levels, steps, pixels);
                                  check(cudaDeviceSynchronize());
                                }};

const device_codec_way stepwise_vectors{"stepwise vectors", codec_way::stepwise,
                                        [](auto pixels, const auto& steps, auto levels) {
                                          stepwise_vectors_codec codec(pixels.width(), pixels.height());
                                          codec.encode(pixels, steps, levels);
                                          check(cudaDeviceSynchronize());
                                        },
                                        [](auto levels, const auto& steps, auto pixels) {
                                          stepwise_vectors_codec codec(pixels.width(), pixels.height());
                                          codec.decode(levels, steps, pixels);
                                          check(cudaDeviceSynchronize());
                                        }};

const device_codec_way per_coefficient{"per coefficient", codec_way::stepwise,
                                       [](auto pixels, const auto& steps, auto levels) {
                                         per_coefficient_codec codec(pixels.width(), pixels.height());
                                         codec.encode(pixels, steps, levels);
                                         check(cudaDeviceSynchronize());
                                       },
                                       [](auto levels, const auto& steps, auto pixels) {
                                         per_coefficient_codec codec(pixels.width(), pixels.height());
                                         codec.decode(levels, steps, pixels);
                                         check(cudaDeviceSynchronize());
                                       }};

level_plane encoded(const device_codec_way& codec, const byte_plane& pixels,
                    const quantization_table& steps) {
  const device_plane<std::uint8_t> d_pixels(pixels);
  device_plane<std::int16_t> d_levels(padded(pixels.width), padded(pixels.height));
  codec.encode(d_pixels, steps, d_levels);
  return d_levels.to_host();
}

byte_plane decoded(const device_codec_way& codec, const level_plane& levels, const quantization_table& steps,
                   int width, int height) {
  const device_plane<std::int16_t> d_levels(levels);
  device_plane<std::uint8_t> d_pixels(width, height);
  codec.decode(d_levels, steps, d_pixels);
  return d_pixels.to_host();
}

byte_plane round_trip(const byte_plane& pixels, const quantization_table& steps) {
  const device_plane<std::uint8_t> d_pixels(pixels);
  device_plane<std::uint8_t> d_result(pixels.width, pixels.height);
  round_trip_fused(d_pixels, steps, d_result);
  return d_result.to_host();
}

/// How many values were rounded otherwise than by the reference.
struct differing {
  std::size_t levels = 0, pixels = 0, compared = 0;
};

/// Levels, and pixels of the device's own levels.
void check_codec(const device_codec_way& codec, const byte_plane& pixels, const quantization_table& steps,
                 differing* count = nullptr) {
  CAPTURE(codec.name);
  CAPTURE(pixels.width);
  CAPTURE(pixels.height);
  const level_plane levels = encoded(codec, pixels, steps);
  const codec_agreement forward = verify_levels(pixels, steps, levels, codec.way);
  CHECK_MESSAGE(forward, describe(forward.found));
  const byte_plane again = decoded(codec, levels, steps, pixels.width, pixels.height);
  const codec_agreement back = verify_pixels(levels, steps, again, codec.way);
  CHECK_MESSAGE(back, describe(back.found));
  if (codec.way == codec_way::fused) {
    const codec_agreement at_once = verify_pixels(levels, steps, round_trip(pixels, steps), codec.way);
    CHECK_MESSAGE(at_once, describe(at_once.found));
  }
  if (count != nullptr) {
    count->levels += forward.differing;
    count->pixels += back.differing;
    count->compared += levels.values.size();
  }
}

const quantization_table& gentle() {
  static const quantization_table steps = table_for(component_kind::luminance, 90);
  return steps;
}

/// Rows of width bytes in device memory, `space` bytes from one to the next, all of `filler` beforehand.
template <class T>
struct wide_rows {
  wide_rows(int width, int height, std::size_t pitch, unsigned char filler)
      : width(width), height(height), pitch(pitch), bytes(pitch * std::size_t(height)) {
    check(cudaMemset(bytes.data(), filler, bytes.size()));
  }
  device_plane_span<T> span() { return {reinterpret_cast<T*>(bytes.data()), width, height, pitch}; }
  void copy_from(const plane<T>& host) {
    check(cudaMemcpy2D(bytes.data(), pitch, host.values.data(), std::size_t(width) * sizeof(T),
                       std::size_t(width) * sizeof(T), std::size_t(height), cudaMemcpyHostToDevice));
  }
  plane<T> inside() const {
    plane<T> host(width, height);
    check(cudaMemcpy2D(host.values.data(), std::size_t(width) * sizeof(T), bytes.data(), pitch,
                       std::size_t(width) * sizeof(T), std::size_t(height), cudaMemcpyDeviceToHost));
    return host;
  }
  /// Bytes behind the rows that are not `filler` any more.
  std::size_t overrun(unsigned char filler) const {
    const std::vector<unsigned char> all = bytes.to_host();
    std::size_t count = 0;
    for (std::size_t i = 0; i < all.size(); ++i)
      count += i % pitch >= std::size_t(width) * sizeof(T) && all[i] != filler;
    return count;
  }
  int width, height;
  std::size_t pitch;
  device_buffer<unsigned char> bytes;
};

}  // namespace

TEST_CASE("the factorized DCT is the DCT, up to its factors") {
  const dct_matrix_t& a = dct_matrix();
  for (int i = 0; i < 8; ++i) {
    float x[8] = {}, c[8] = {};
    x[i] = 1;
    dct8_scaled<1>(x);
    for (int u = 0; u < 8; ++u) {
      const double expected = 2 * std::numbers::sqrt2 * aan_scale(u) * a[std::size_t(u)][std::size_t(i)];
      CHECK(double(x[u]) == doctest::Approx(expected).epsilon(1e-6));
    }
    c[i] = float(aan_scale(i) / (2 * std::numbers::sqrt2));
    idct8_scaled<1>(c);
    for (int n = 0; n < 8; ++n)
      CHECK(double(c[n]) == doctest::Approx(a[std::size_t(i)][std::size_t(n)]).epsilon(1e-6));
  }
  CHECK(aan::cos2 == doctest::Approx(std::cos(std::numbers::pi / 8)).epsilon(1e-15));
  CHECK(aan::cos6 == doctest::Approx(std::sin(std::numbers::pi / 8)).epsilon(1e-15));
}

TEST_CASE("the bounds are small, and no smaller than they may be") {
  for (const int quality : {1, 50, 100}) {
    const quantization_table steps = table_for(component_kind::luminance, quality);
    for (const codec_way way : {codec_way::stepwise, codec_way::fused})
      for (const double bound : level_bounds(steps, way)) {
        CHECK(bound > 0);
        CHECK(bound < 0.05);  // of a step, at steps of 1
      }
  }
  // A value that is off by more than its bound is refused, and no other.
  const byte_plane pixels = random_plane(8, 8, 5);
  quantization_table ones;
  ones.fill(1);
  const level_plane levels = encode_serial(pixels, ones);
  const byte_plane again = decode_serial(levels, ones, 8, 8);
  const plane<double> exact_levels = unrounded_levels(pixels, ones);
  const plane<double> exact_pixels = unrounded_pixels(levels, ones, 8, 8);
  for (const codec_way way : {codec_way::stepwise, codec_way::fused}) {
    CHECK(verify_levels(pixels, ones, levels, way));
    CHECK(verify_levels(pixels, ones, levels, way).differing == 0);
    CHECK(verify_pixels(levels, ones, again, way));
    CHECK(verify_pixels(levels, ones, again, way).differing == 0);
    const std::array<double, 64> of_levels = level_bounds(ones, way);
    const std::array<double, 64> of_pixels =
        pixel_bounds(std::span<const std::int16_t, 64>(levels.values.data(), 64), ones, way);
    for (std::size_t i = 0; i < 64; ++i) {
      CHECK(of_pixels[i] > 0);
      CHECK(of_pixels[i] < 0.01);
      for (const int off : {-2, -1, 1, 2}) {
        level_plane wrong = levels;
        wrong.values[i] = std::int16_t(wrong.values[i] + off);
        CHECK(verify_levels(pixels, ones, wrong, way).found.mismatches ==
              (std::abs(wrong.values[i] - exact_levels.values[i]) > 0.5 + of_levels[i] ? 1 : 0));
        byte_plane other = again;
        const int value = other.values[i] + off;
        if (value < 0 || value > 255) continue;
        other.values[i] = std::uint8_t(value);
        const double exact = std::clamp(exact_pixels.values[i], 0.0, 255.0);
        CHECK(verify_pixels(levels, ones, other, way).found.mismatches ==
              (std::abs(value - exact) > 0.5 + of_pixels[i] ? 1 : 0));
      }
    }
  }
}

TEST_CASE("one wrong level, and one wrong pixel, are found where they are") {
  const int width = 21, height = 27;
  const byte_plane pixels = random_plane(width, height, 6);
  level_plane levels = encode_serial(pixels, gentle());
  byte_plane again = decode_serial(levels, gentle(), width, height);
  CHECK(verify_levels(pixels, gentle(), levels, codec_way::fused).found.size == 24 * 32);
  CHECK(verify_pixels(levels, gentle(), again, codec_way::fused).found.size == 21 * 27);
  again.at(25, 19) ^= 4;
  const agreement pixel = verify_pixels(levels, gentle(), again, codec_way::fused).found;
  CHECK(pixel.mismatches == 1);
  CHECK(pixel.first_index == 25 * 21 + 19);
  levels.at(17, 9) = std::int16_t(levels.at(17, 9) + 3);
  const agreement level = verify_levels(pixels, gentle(), levels, codec_way::fused).found;
  CHECK(level.mismatches == 1);
  CHECK(level.first_index == 17 * 24 + 9);
  CHECK(level.worst_index == 17 * 24 + 9);
}

TEST_CASE("exactly halfway each kernel has its rule") {
  quantization_table eights;
  eights.fill(8);
  for (int m = -4; m < 4; ++m) {
    CAPTURE(m);
    const int even = m % 2 == 0 ? m : m + 1, away = m >= 0 ? m + 1 : m;
    // Half of the pixels one more: the mean is m + 1/2, and with a step of 8 the level of DC.
    const byte_plane pixels = made_of(8, 8, [&](int row, int col) { return 128 + m + (row + col) % 2; });
    CHECK(encoded(fused, pixels, eights).values[0] == even);
    device_plane<std::int16_t> levels(8, 8);
    quantize(device_plane<float>(plane<float>(8, 8, 8 * (float(m) + 0.5f))), eights, levels);
    CHECK(levels.to_host() == level_plane(8, 8, std::int16_t(away)));
    // And back: pixels of 128 + m + 1/2 go to the even number.
    const std::uint8_t even_pixel = std::uint8_t(128 + even);
    device_plane<std::uint8_t> result(8, 8);
    to_pixels(device_plane<float>(plane<float>(8, 8, float(m) + 0.5f)), result);
    CHECK(result.to_host() == byte_plane(8, 8, even_pixel));
    quantization_table fours = eights;
    fours.fill(4);
    level_plane half(8, 8);
    half.values[0] = std::int16_t(2 * m + 1);
    CHECK(decoded(fused, half, fours, 8, 8) == byte_plane(8, 8, even_pixel));
  }
}

TEST_CASE("the chain of 64 threads a block, and the kernel that only moves") {
  for (const auto& [width, height] : {std::pair(1, 1), {7, 9}, {21, 11}, {64, 16}}) {
    const byte_plane pixels = random_plane(width, height, 3);
    check_codec(per_coefficient, pixels, gentle());
    device_plane<std::uint8_t> moved(width, height);
    move_blocks(device_plane<std::uint8_t>(pixels), moved);
    CHECK(moved.to_host() == pixels);
  }
}

TEST_CASE("levels and pixels: all small sizes") {
  for (int width = 1; width <= 33; ++width)
    for (const int height : {1, 7, 8, 9, 17}) check_codec(fused, random_plane(width, height, 1), gentle());
  for (int height = 1; height <= 33; ++height) {
    check_codec(fused, random_plane(9, height, 2), gentle());
    if (height % 4 == 1) check_codec(stepwise, random_plane(33 - height / 2, height, 2), gentle());
  }
}

TEST_CASE("step by step with more values a thread: the same levels and pixels, to the last one") {
  for (const auto& [w, h] : {std::pair(1, 1), {7, 9}, {21, 11}, {35, 33}, {64, 16}, {131, 40}}) {
    const int width = w, height = h;  // names that a lambda may use
    CAPTURE(width);
    CAPTURE(height);
    const byte_plane pixels = random_plane(width, height, 4);
    const level_plane levels = encoded(stepwise, pixels, gentle());
    CHECK(encoded(stepwise_vectors, pixels, gentle()) == levels);
    CHECK(decoded(stepwise_vectors, levels, gentle(), width, height) ==
          decoded(stepwise, levels, gentle(), width, height));
  }
  stepwise_vectors_codec codec(8, 8);
  device_plane<std::uint8_t> small(9, 8), ours(8, 8);
  device_plane<std::int16_t> to(8, 8);
  CHECK_THROWS_AS(codec.encode(small, gentle(), to), std::invalid_argument);
  const device_plane_span<const std::uint8_t> askew(small.span().data() + 1, 8, 8, small.pitch());
  CHECK_THROWS_AS(codec.encode(askew, gentle(), to), std::invalid_argument);
  CHECK_NOTHROW(codec.encode(ours, gentle(), to));
  check(cudaDeviceSynchronize());
}

TEST_CASE("nothing behind the rows of a picture is read or written") {
  for (const device_codec_way* codec : {&fused, &stepwise, &stepwise_vectors, &per_coefficient}) {
    CAPTURE(codec->name);
    wide_rows<std::uint8_t> pixels(13, 9, 24, 0xA5), result(13, 9, 24, 0xA5);
    wide_rows<std::int16_t> levels(16, 16, 48, 0xA5);
    const byte_plane host = random_plane(13, 9, 4);
    pixels.copy_from(host);
    codec->encode(pixels.span(), gentle(), levels.span());
    CHECK(levels.inside() == encoded(*codec, host, gentle()));
    codec->decode(levels.span(), gentle(), result.span());
    CHECK(result.inside() == decoded(*codec, levels.inside(), gentle(), 13, 9));
    CHECK(levels.overrun(0xA5) + result.overrun(0xA5) == 0);
  }
  wide_rows<float> shifted(8, 8, 64, 0xA5), coefficients(8, 8, 64, 0xA5);
  shift_levels(device_plane<std::uint8_t>(random_plane(8, 8, 4)), shifted.span());
  dequantize(device_plane<std::int16_t>(8, 8), gentle(), coefficients.span());
  CHECK(shifted.overrun(0xA5) + coefficients.overrun(0xA5) == 0);
}

TEST_CASE("step by step with more values a thread: as many bytes, a quarter of the loads") {
  const int width = 256, height = 64;
  const double pixels = width * height;
  const device_plane<std::uint8_t> from(random_plane(width, height, 4));
  device_plane<std::int16_t> to(width, height);
  stepwise_vectors_codec codec(width, height);
  const auto launches = count_launches([&] { codec.encode(from, gentle(), to); });
  if (!has_counts(launches)) return;
  const launch_counts counts = sum(launches);
  CHECK(counts.global_load_bytes + counts.global_store_bytes == 19 * pixels);
#ifdef __clang__  // newer ones load the pixels of one row of eight byte by byte
  CHECK(counts.global_loads <= (0.25 + 0.75 / 8 + 1 + 0.25) * pixels);
#else
  CHECK(counts.global_loads == (0.25 + 1 + 0.25) * pixels);
#endif
  CHECK(counts.shared_load_wavefronts == counts.shared_load_requests);
}

TEST_CASE("levels and pixels: every quality") {
  differing count;
  for (const int quality : {1, 10, 50, 75, 90, 100})
    for (const auto kind : {component_kind::luminance, component_kind::chrominance}) {
      CAPTURE(quality);
      const quantization_table steps = table_for(kind, quality);
      check_codec(fused, random_plane(67, 35, std::uint64_t(quality)), steps, &count);
      check_codec(stepwise, random_plane(41, 19, std::uint64_t(quality)), steps, &count);
    }
  // Few: ties of whole numbers, and what falls into the bounds by chance.
  CHECK(count.levels * 500 < count.compared);
  CHECK(count.pixels * 500 < count.compared);
}

TEST_CASE("levels and pixels: pictures that go to the limits") {
  quantization_table ones;
  ones.fill(1);
  for (const quantization_table& steps : {ones, gentle(), table_for(component_kind::luminance, 1)})
    for (const device_codec_way& codec : {fused, stepwise}) {
      for (const int value : {0, 127, 128, 255})
        check_codec(codec, byte_plane(24, 9, std::uint8_t(value)), steps);
      check_codec(codec, made_of(16, 16, [](int row, int col) { return (row + col) % 2 * 255; }), steps);
      check_codec(codec, made_of(16, 16, [](int row, int col) { return (row / 4 + col) % 2 * 255; }), steps);
      // Not equal to its transpose in any way.
      check_codec(
          codec,
          made_of(16, 8, [](int row, int col) { return col % 8 < 3 ? 250 - 9 * row : 17 * col % 256; }),
          steps);
    }
  // Constant blocks have nothing but DC, and come back exactly.
  for (const int value : {0, 1, 128, 200, 255}) {
    const byte_plane flat(8, 8, std::uint8_t(value));
    const level_plane levels = encoded(fused, flat, ones);
    CHECK(levels.values[0] == 8 * (value - 128));
    for (std::size_t i = 1; i < 64; ++i) CHECK(levels.values[i] == 0);
    CHECK(round_trip(flat, ones) == flat);
  }
}

TEST_CASE("any pitch that suits the loads, and nothing behind the rows") {
  constexpr unsigned char filler = 0x5A;
  const int width = 29, height = 13;
  const byte_plane pixels = random_plane(width, height, 7);
  const level_plane expected = encoded(fused, pixels, gentle());
  for (const std::size_t extra : {0, 8, 24}) {
    CAPTURE(extra);
    wide_rows<std::uint8_t> from(width, height, 32 + extra, filler), to(width, height, 40 + extra, filler);
    wide_rows<std::int16_t> levels(32, 16, 64 + 2 * extra, filler);
    from.copy_from(pixels);
    encode_fused(from.span(), gentle(), levels.span());
    CHECK(levels.inside() == expected);
    CHECK(levels.overrun(filler) == 0);
    decode_fused(levels.span(), gentle(), to.span());
    CHECK(to.inside() == decoded(fused, expected, gentle(), width, height));
    CHECK(to.overrun(filler) == 0);
    round_trip_fused(from.span(), gentle(), to.span());
    CHECK(to.inside() == round_trip(pixels, gentle()));
    CHECK(to.overrun(filler) == 0);
  }
  wide_rows<std::uint8_t> askew(width, height, 36, filler), result(width, height, 40, filler);
  wide_rows<std::int16_t> levels(32, 16, 64, filler), short_rows(32, 16, 72, filler);
  CHECK_THROWS_AS(encode_fused(askew.span(), gentle(), levels.span()), std::invalid_argument);
  CHECK_THROWS_AS(encode_fused(result.span(), gentle(), short_rows.span()), std::invalid_argument);
  CHECK_THROWS_AS(decode_fused(levels.span(), gentle(), askew.span()), std::invalid_argument);
  CHECK_THROWS_AS(round_trip_fused(result.span(), gentle(), askew.span()), std::invalid_argument);
  // Rows a multiple of 8 or 16 bytes apart, of which the first begins elsewhere.
  const device_plane_span<std::uint8_t> late(result.span().data() + 4, 16, 8, 40);
  const device_plane_span<std::int16_t> late_levels(levels.span().data() + 4, 16, 8, 64);
  const device_plane_span<std::uint8_t> part(result.span().data() + 8, 16, 8, 40);
  const device_plane_span<std::int16_t> part_of_levels(levels.span().data() + 8, 16, 8, 64);
  CHECK_NOTHROW(encode_fused(part, gentle(), part_of_levels));
  CHECK_THROWS_AS(encode_fused(late, gentle(), part_of_levels), std::invalid_argument);
  CHECK_THROWS_AS(encode_fused(part, gentle(), late_levels), std::invalid_argument);
  CHECK_THROWS_AS(decode_fused(late_levels, gentle(), part), std::invalid_argument);
  CHECK_THROWS_AS(decode_fused(part_of_levels, gentle(), late), std::invalid_argument);
  CHECK_THROWS_AS(round_trip_fused(part, gentle(), late), std::invalid_argument);
  wide_rows<std::int16_t> few(24, 16, 64, filler);
  CHECK_THROWS_AS(encode_fused(result.span(), gentle(), few.span()), std::invalid_argument);
  CHECK_THROWS_AS(decode_fused(few.span(), gentle(), result.span()), std::invalid_argument);
  CHECK_THROWS_AS(encode_fused({}, gentle(), levels.span()), std::invalid_argument);
  // So wide that the columns of whole blocks are beyond an int.
  const int wide = std::numeric_limits<int>::max();
  const device_plane_span<std::uint8_t> too_wide(result.span().data(), wide, 1, std::size_t{1} << 31);
  CHECK_THROWS_AS(round_trip_fused(too_wide, gentle(), too_wide), std::invalid_argument);
  CHECK_THROWS_AS(move_blocks(too_wide, too_wide), std::invalid_argument);
}

// Fifteen rows of pixels, and sixteen of levels, with so much between them that the last ones begin beyond
// what 32 bits can count, also in numbers of 16 bits.
TEST_CASE("rows of pixels and levels may lie further apart than 32 bits reach") {
  constexpr std::size_t pitch = std::size_t{640} << 20;
  constexpr int width = 40, height = 15;
  if (!has_memory(pitch * (15 + 16 + 15) + (std::size_t{1} << 30))) return;
  constexpr unsigned char filler = 0x5A;
  wide_rows<std::uint8_t> from(width, height, pitch, filler), to(width, height, pitch, filler);
  wide_rows<std::int16_t> levels(width, padded(height), pitch, filler);
  const byte_plane pixels = random_plane(width, height, 8);
  from.copy_from(pixels);
  for (const device_codec_way& codec : {fused, stepwise}) {
    CAPTURE(codec.name);
    check(cudaMemset(levels.bytes.data(), filler, levels.bytes.size()));
    check(cudaMemset(to.bytes.data(), filler, to.bytes.size()));
    codec.encode(from.span(), gentle(), levels.span());
    CHECK(verify_levels(pixels, gentle(), levels.inside(), codec.way));
    codec.decode(levels.span(), gentle(), to.span());
    CHECK(verify_pixels(levels.inside(), gentle(), to.inside(), codec.way));
  }
  check(cudaMemset(to.bytes.data(), filler, to.bytes.size()));
  round_trip_fused(from.span(), gentle(), to.span());
  CHECK(to.inside() == round_trip(pixels, gentle()));
}

TEST_CASE("a path of more than 2^31 levels") {
  constexpr int width = 1 << 16, height = (1 << 15) + 8;
  constexpr std::size_t size = std::size_t{width} * height;
  if (!has_memory(2 * size * sizeof(std::int16_t) + (std::size_t{1} << 30))) return;
  device_buffer<std::int16_t> all(size), path(size);
  const device_plane_span<std::int16_t> levels(all.data(), width, height, width * sizeof(std::int16_t));
  // Only the last 8x8 block is looked at.
  level_plane last(8, 8);
  for (std::size_t i = 0; i < 64; ++i) last.values[i] = std::int16_t(100 + i);
  std::int16_t* const first = all.data() + size - 7 * std::size_t{width} - 8;
  constexpr std::size_t row = 8 * sizeof(std::int16_t);
  check(cudaMemcpy2D(first, levels.pitch(), last.values.data(), row, row, 8, cudaMemcpyHostToDevice));
  to_zigzag(levels, path);
  std::vector<std::int16_t> end(64);
  check(cudaMemcpy(end.data(), path.data() + size - 64, 64 * sizeof(std::int16_t), cudaMemcpyDeviceToHost));
  for (std::size_t i = 0; i < 64; ++i) CHECK(end[i] == last.values[zigzag_order()[i]]);
  check(cudaMemset(all.data(), 0, size * sizeof(std::int16_t)));
  from_zigzag(path, levels);
  level_plane again(8, 8);
  check(cudaMemcpy2D(again.values.data(), row, first, levels.pitch(), row, 8, cudaMemcpyDeviceToHost));
  CHECK(again == last);
}

TEST_CASE("zig-zag order on the device is that of the path, and back") {
  const int width = 24, height = 16;
  level_plane levels(width, height);
  for (std::size_t i = 0; i < levels.values.size(); ++i) levels.values[i] = std::int16_t(i);
  const device_plane<std::int16_t> d_levels(levels);
  device_buffer<std::int16_t> path(levels.values.size());
  to_zigzag(d_levels, path);
  const std::vector<std::int16_t> host = path.to_host();
  for (int block = 0; block < 6; ++block)
    for (int i = 0; i < 64; ++i) {
      const int place = zigzag_order()[std::size_t(i)];
      CHECK(host[std::size_t(64 * block + i)] ==
            levels.at(block / 3 * 8 + place / 8, block % 3 * 8 + place % 8));
    }
  device_plane<std::int16_t> again(width, height);
  from_zigzag(path, again);
  CHECK(again.to_host() == levels);
  device_buffer<std::int16_t> short_path(63);
  CHECK_THROWS_AS(to_zigzag(d_levels, short_path), std::invalid_argument);
}

TEST_CASE("colors keep to their planes where more lies beside them") {
  const int width = 31, height = 9;
  const auto part = [](device_plane<std::uint8_t>& all, int columns, int rows) {
    return device_plane_span<std::uint8_t>(all.span().data(), columns, rows, all.span().pitch());
  };
  const auto kept = [](device_plane<std::uint8_t>& all, const byte_plane& before, int columns, int rows) {
    const byte_plane after = all.to_host();
    for (int row = 0; row < before.height; ++row)
      for (int col = 0; col < before.width; ++col)
        if ((col >= columns || row >= rows) && after.values[std::size_t(row * before.width + col)] !=
                                                   before.values[std::size_t(row * before.width + col)])
          return false;
    return true;
  };
  for (const chroma_sampling sampling : {chroma_sampling::s444, chroma_sampling::s420}) {
    const bool halves = sampling == chroma_sampling::s420;
    const int widths[] = {width, halves ? 16 : width, halves ? 16 : width};
    const int heights[] = {height, halves ? 5 : height, halves ? 5 : height};
    const byte_plane more = random_plane(3 * width + 6, height + 2, 5);
    device_plane<std::uint8_t> rgb(more), y(more), cb(more), cr(more);
    device_plane<std::uint8_t>* const planes[] = {&y, &cb, &cr};
    const auto of = [&](int c) { return part(*planes[c], widths[c], heights[c]); };
    split_colors(part(rgb, 3 * width, height), of(0), of(1), of(2), sampling);
    for (int c = 0; c < 3; ++c) CHECK(kept(*planes[c], more, widths[c], heights[c]));
    join_colors(of(0), of(1), of(2), sampling, part(rgb, 3 * width, height));
    CHECK(kept(rgb, more, 3 * width, height));
  }
}

TEST_CASE("colors on the device are those of the host, bit for bit") {
  // All combinations of 18 values of each, and sizes at the edge.
  std::vector<std::pair<int, int>> sizes = {{81, 72}, {1, 1}, {2, 1}, {1, 2}, {7, 9}, {33, 8}, {64, 5}};
  for (const auto& size : sizes)
    for (const chroma_sampling sampling : {chroma_sampling::s444, chroma_sampling::s420}) {
      const int width = size.first, height = size.second;
      CAPTURE(width);
      CAPTURE(height);
      byte_plane rgb = random_plane(3 * width, height, 11);
      if (width == 81)
        for (std::size_t i = 0; i < rgb.values.size(); ++i) {
          const std::size_t combination = i / 3, digits[3] = {1, 18, 324};
          rgb.values[i] = std::uint8_t(combination / digits[i % 3] % 18 * 15);
        }
      const image picture(width, height, 3, rgb.values);
      const auto expected = split(picture, sampling);
      const device_plane<std::uint8_t> d_rgb(rgb);
      std::vector<device_plane<std::uint8_t>> planes;
      for (const byte_plane& one : expected) planes.emplace_back(one.width, one.height);
      split_colors(d_rgb, planes[0], planes[1], planes[2], sampling);
      for (std::size_t c = 0; c < 3; ++c) CHECK(planes[c].to_host() == expected[c]);

      // Back, from planes that no picture gives, so that clamping is met.
      std::vector<byte_plane> any;
      for (std::size_t c = 0; c < 3; ++c) {
        any.push_back(random_plane(expected[c].width, expected[c].height, 20 + c));
        planes[c].copy_from(any[c]);
      }
      device_plane<std::uint8_t> d_result(3 * width, height);
      join_colors(planes[0], planes[1], planes[2], sampling, d_result);
      const image joined_host = joined(any, width, height, sampling);
      CHECK(d_result.to_host().values ==
            std::vector<std::uint8_t>(joined_host.pixels().begin(), joined_host.pixels().end()));
    }
  device_plane<std::uint8_t> rgb(30, 4), y(10, 4), small(5, 2);
  CHECK_THROWS_AS(split_colors(rgb, y, small, small, chroma_sampling::s444), std::invalid_argument);
  CHECK_THROWS_AS(join_colors(y, y, y, chroma_sampling::s420, rgb), std::invalid_argument);
  // Rows that no word can be read from.
  const device_plane_span<std::uint8_t> askew(rgb.span().data() + 3, 9 * 3, 4, rgb.pitch());
  const device_plane_span<std::uint8_t> narrow(y.span().data(), 9, 4, y.pitch());
  CHECK_THROWS_AS(split_colors(askew, narrow, narrow, narrow, chroma_sampling::s444), std::invalid_argument);
  CHECK_THROWS_AS(join_colors(narrow, narrow, narrow, chroma_sampling::s444, askew), std::invalid_argument);
}

TEST_CASE("what the lesson counts: bytes a pixel") {
  const int width = 256, height = 64;  // all rows of whole blocks, all warps full
  const double pixels = double(width) * height;
  const device_plane<std::uint8_t> d_pixels(random_plane(width, height, 3));
  device_plane<std::uint8_t> result(width, height);
  device_plane<std::int16_t> levels(width, height);
  const auto bytes = [&](const std::function<void()>& work) {
    const auto launches = count_launches(work);
    const launch_counts counts = sum(launches);
    return std::pair(launches.size(), double(counts.global_load_bytes + counts.global_store_bytes) / pixels);
  };
  if (!has_counts(count_launches([&] { encode_fused(d_pixels, gentle(), levels); }))) return;
  CHECK(bytes([&] { encode_fused(d_pixels, gentle(), levels); }) == std::pair(std::size_t{1}, 3.0));
  CHECK(bytes([&] { decode_fused(levels, gentle(), result); }) == std::pair(std::size_t{1}, 3.0));
  CHECK(bytes([&] { round_trip_fused(d_pixels, gentle(), result); }) == std::pair(std::size_t{1}, 2.0));
  stepwise_codec codec(width, height);
  CHECK(bytes([&] { codec.encode(d_pixels, gentle(), levels); }) == std::pair(std::size_t{3}, 19.0));
  CHECK(bytes([&] { codec.decode(levels, gentle(), result); }) == std::pair(std::size_t{3}, 19.0));

  // Steps that a file needs besides: the order of levels, and colors.
  device_buffer<std::int16_t> path(std::size_t(width) * height);
  CHECK(bytes([&] { to_zigzag(levels, path); }) == std::pair(std::size_t{1}, 4.0));
  CHECK(bytes([&] { from_zigzag(path, levels); }) == std::pair(std::size_t{1}, 4.0));
  const device_plane<std::uint8_t> rgb(random_plane(3 * width, height, 4));
  device_plane<std::uint8_t> again(3 * width, height), cb(width, height), cr(width, height);
  device_plane<std::uint8_t> small_cb(width / 2, height / 2), small_cr(width / 2, height / 2);
  CHECK(bytes([&] { split_colors(rgb, result, cb, cr, chroma_sampling::s444); }).second == 3 + 3.0);
  CHECK(bytes([&] { split_colors(rgb, result, small_cb, small_cr, chroma_sampling::s420); }).second ==
        3 + 1.5);
  CHECK(bytes([&] { join_colors(result, cb, cr, chroma_sampling::s444, again); }).second == 3 + 3.0);
  CHECK(bytes([&] { join_colors(result, small_cb, small_cr, chroma_sampling::s420, again); }).second ==
        3 + 2.0);  // both rows of pixels ask for the colors that they share

  // A warp asks three times for its 256 pixels and writes each plane at once.
  const launch_counts colors =
      sum(count_launches([&] { split_colors(rgb, result, cb, cr, chroma_sampling::s444); }));
  CHECK(double(colors.global_load_requests) == 3 * pixels / 256);
  CHECK(double(colors.global_store_requests) == 3 * pixels / 256);
  CHECK(colors.global_store_sectors * 32 == colors.global_store_bytes);

  // What a warp gathers from all over its block it writes side by side, and it reads its part of the path at
  // once.
  const launch_counts gathered = sum(count_launches([&] { to_zigzag(levels, path); }));
  CHECK(gathered.global_store_sectors * 32 == gathered.global_store_bytes);
  CHECK(gathered.shared_load_wavefronts == gathered.shared_load_requests);

  // Rows of 8-byte words side by side: no sector is fetched that is not used.
  const launch_counts counts = sum(count_launches([&] { encode_fused(d_pixels, gentle(), levels); }));
  CHECK(counts.global_load_sectors * 32 == counts.global_load_bytes);
  CHECK(counts.global_store_sectors * 32 == counts.global_store_bytes);
  CHECK(counts.barriers == 0);
  CHECK(counts.shared_loads + counts.shared_stores == 0);
}

namespace {

using broken::codec_mistake;

/// What the checks say of the encoder with that mistake, for one picture: which levels are wrong.
struct refused_levels {
  byte_plane pixels;
  level_plane right, got;
  plane<std::uint8_t> wrong;  ///< 1 where a level is refused.
  std::size_t count = 0;

  refused_levels(codec_mistake made, int width, int height, const quantization_table& steps = gentle())
      : pixels(random_plane(width, height, 9)),
        right(encode_serial(pixels, steps)),
        wrong(right.width, right.height) {
    const device_codec_way with_mistake{
        "broken",
        codec_way::fused,
        [made](auto from, const auto& table, auto to) { broken::encode(made, from, table, to); },
        {}};
    got = encoded(with_mistake, pixels, steps);
    count = verify_levels(pixels, steps, got, codec_way::fused).found.mismatches;
    for (std::size_t i = 0; i < wrong.values.size(); ++i)
      wrong.values[i] = std::abs(got.values[i] - right.values[i]) > 0;
  }
  /// Are wrong levels only where `expected(v, u, right, got)`?
  template <class F>
  bool only_where(const F& expected) const {
    for (int row = 0; row < right.height; ++row)
      for (int col = 0; col < right.width; ++col)
        if (wrong.at(row, col) && !expected(row % 8, col % 8, right.at(row, col), got.at(row, col)))
          return false;
    return true;
  }
};

}  // namespace

TEST_CASE("the checks refuse encoders that are wrong on purpose") {
  CHECK(refused_levels(codec_mistake::none, 24, 16).count == 0);
  CHECK(refused_levels(codec_mistake::none, 21, 11).count == 0);

  const refused_levels shift(codec_mistake::shift_forgotten, 24, 16);
  CHECK(shift.count == 6);  // in every block its DC, and nothing else
  CHECK(shift.only_where([](int v, int u, int, int) { return v == 0 && u == 0; }));

  const refused_levels scale(codec_mistake::scale_forgotten, 24, 16);
  CHECK(scale.count > 100);
  CHECK(
      scale.only_where([](int v, int u, int, int) { return v % 4 != 0 || u % 4 != 0; }));  // s(0) = s(4) = 1

  const refused_levels steps(codec_mistake::steps_transposed, 24, 16);
  CHECK(steps.count > 20);
  CHECK(steps.only_where([](int v, int u, int, int) {
    return gentle()[std::size_t(8 * v + u)] != gentle()[std::size_t(8 * u + v)];
  }));

  const refused_levels truncated(codec_mistake::truncated, 24, 16);
  CHECK(truncated.count > 100);
  CHECK(truncated.only_where(
      [](int, int, int right, int got) { return std::abs(got) == std::abs(right) - 1; }));

  const refused_levels pairs(codec_mistake::pairs_exchanged, 24, 16);
  CHECK(pairs.count > 200);
  for (int row = 0; row < 16; ++row)
    for (int col = 0; col < 24; ++col)
      CHECK(std::abs(pairs.got.at(row, col) - pairs.right.at(row, col ^ 1)) <= 1);

  CHECK(refused_levels(codec_mistake::zeros_outside, 24, 16).count == 0);  // right where there is no edge
  CHECK(refused_levels(codec_mistake::zeros_outside, 21, 16).count > 20);
  CHECK(refused_levels(codec_mistake::zeros_outside, 24, 11).count > 20);
}

TEST_CASE("the checks refuse decoders that are wrong on purpose") {
  constexpr unsigned char filler = 0x5A;
  const int width = 13, height = 11;
  // At quality 5 ringing goes far beyond black and white.
  const quantization_table steps = table_for(component_kind::luminance, 5);
  const byte_plane pixels =
      made_of(width, height, [](int row, int col) { return (row / 3 + col / 2) % 2 * 255; });
  const level_plane levels = encode_serial(pixels, steps);
  const plane<double> unrounded = unrounded_pixels(levels, steps, width, height);
  const device_plane<std::int16_t> d_levels(levels);
  const auto run = [&](codec_mistake made, std::size_t& overrun) {
    wide_rows<std::uint8_t> result(width, height, 24, filler);
    broken::decode(made, d_levels, steps, result.span());
    check(cudaDeviceSynchronize());
    overrun = result.overrun(filler);
    return result.inside();
  };
  std::size_t overrun = 0;
  CHECK(verify_pixels(levels, steps, run(codec_mistake::none, overrun), codec_way::fused));
  CHECK(overrun == 0);

  const byte_plane not_clamped = run(codec_mistake::not_clamped, overrun);
  std::size_t beyond = 0;
  for (std::size_t i = 0; i < unrounded.values.size(); ++i)
    beyond += unrounded.values[i] < -0.51 || unrounded.values[i] > 255.51;
  CHECK(beyond > 0);
  CHECK(verify_pixels(levels, steps, not_clamped, codec_way::fused).found.mismatches == beyond);

  CHECK(verify_pixels(levels, steps, run(codec_mistake::whole_rows_stored, overrun), codec_way::fused));
  CHECK(overrun == std::size_t(3 * height));  // right inside, and beside it what was not asked for
}

// Whether such a mistake changes a level depends on the schedule and on what lies in memory. The emulated
// device names it, and ends the program that made it, so each runs in a process of its own.
TEST_CASE("the emulated device names mistakes of the codec that a result may not show") {
  if (!has_counts(count_launches([] { broken::wrong_levels(codec_mistake::none); }))) return;
  CHECK(broken::not_named(broken::shown_codec_mistakes()) == "");
  CHECK(broken::wrong_levels(codec_mistake::none) == 0);
}

namespace {

struct kept_for_planes {
  stepwise_codec stepwise = {64, 24};
  stepwise_vectors_codec vectors = {64, 24};
  per_coefficient_codec per_coefficient = {64, 24};
  device_buffer<std::int16_t> path = device_buffer<std::int16_t>(64 * 24);
  device_plane<std::uint8_t> y = {20, 24}, cb = {10, 12}, cr = {10, 12};
};

level_plane random_levels(int width, int height, std::uint64_t seed) {
  const byte_plane bytes = random_plane(width, height, seed);
  return {width, height, std::vector<std::int16_t>(bytes.values.begin(), bytes.values.end())};
}

template <class To, class Run>
std::string failure_with_pixels(int width, const Run& run) {
  return failure_of_planes_in_streams<std::uint8_t, To, kept_for_planes>(width, 24, random_plane, run);
}
template <class To, class Run>
std::string failure_with_levels(const Run& run) {
  return failure_of_planes_in_streams<std::int16_t, To, kept_for_planes>(64, 24, random_levels, run);
}

}  // namespace

TEST_CASE("in any stream: recorded in a graph, and by two threads at once") {
  const quantization_table& steps = gentle();
  CHECK(failure_with_pixels<std::int16_t>(64, [&](auto&, auto from, auto to, auto stream) {
          encode_fused(from, steps, to, stream);
        }) == "");
  CHECK(failure_with_pixels<std::uint8_t>(64, [&](auto&, auto from, auto to, auto stream) {
          round_trip_fused(from, steps, to, stream);
        }) == "");
  CHECK(failure_with_pixels<std::uint8_t>(
            64, [&](auto&, auto from, auto to, auto stream) { move_blocks(from, to, stream); }) == "");
  CHECK(failure_with_pixels<std::uint8_t>(60, [](auto& kept, auto from, auto to, auto stream) {
          split_colors(from, kept.y, kept.cb, kept.cr, chroma_sampling::s420, stream);
          join_colors(kept.y, kept.cb, kept.cr, chroma_sampling::s420, to, stream);
        }) == "");
  CHECK(failure_with_levels<std::uint8_t>(
            [&](auto&, auto from, auto to, auto stream) { decode_fused(from, steps, to, stream); }) == "");
  CHECK(failure_with_levels<std::int16_t>([](auto& kept, auto from, auto to, auto stream) {
          to_zigzag(from, kept.path, stream);
          from_zigzag(kept.path, to, stream);
        }) == "");
  const auto codecs = [&](auto codec) {
    CHECK(failure_with_pixels<std::int16_t>(64, [&](auto& kept, auto from, auto to, auto stream) {
            (kept.*codec).encode(from, steps, to, stream);
          }) == "");
    CHECK(failure_with_levels<std::uint8_t>([&](auto& kept, auto from, auto to, auto stream) {
            (kept.*codec).decode(from, steps, to, stream);
          }) == "");
  };
  codecs(&kept_for_planes::stepwise);
  codecs(&kept_for_planes::vectors);
  codecs(&kept_for_planes::per_coefficient);
}

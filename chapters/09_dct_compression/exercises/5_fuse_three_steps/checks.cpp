// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "common/files/numbers.hpp"
#include "fuse_three_steps.hpp"

#include <doctest/doctest.h>

#include <string>
#include <utility>

#include "08_dct8x8/host/dct_serial.hpp"
#include "09_dct_compression/checks/codec_verification.hpp"
#include "common/device/check.hpp"
#include "common/device/device_memory.hpp"
#include "common/verify/counted_check.hpp"
#include "common/verify/inputs.hpp"

using namespace tutorial;

namespace {

plane<std::uint8_t> random_pixels(int width, int height) {
  plane<std::uint8_t> pixels(width, height);
  for (std::size_t i = 0; i < pixels.values.size(); ++i)
    pixels.values[i] = std::uint8_t(random_bits(7, i) >> 24);
  return pixels;
}

/// A table that is not the same along rows and along columns.
quantization_table lopsided_table() {
  quantization_table steps;
  for (int v = 0; v < 8; ++v)
    for (int u = 0; u < 8; ++u) steps[std::size_t(8 * v + u)] = std::uint16_t(3 + 2 * u + 5 * v);
  return steps;
}

/// Pixels without room behind the rows or behind the last of them.
plane<std::int16_t> levels_of(const plane<std::uint8_t>& pixels, const quantization_table& steps) {
  const device_buffer<std::uint8_t> memory(pixels.values);
  device_plane<std::int16_t> levels(padded(pixels.width), padded(pixels.height));
  fuse_three_steps({memory.data(), pixels.width, pixels.height, std::size_t(pixels.width)}, steps, levels);
  check(cudaDeviceSynchronize());
  return levels.to_host();
}

}  // namespace

TEST_CASE("gray of 128 has only zeros: the level shift") {
  const plane<std::int16_t> levels = levels_of(plane<std::uint8_t>(8, 8, 128), lopsided_table());
  REQUIRE_MESSAGE(levels.at(0, 0) == 0, "the first level is ", levels.at(0, 0), " instead of 0");
  CHECK_MESSAGE(levels == plane<std::int16_t>(8, 8), "the first level is 0, and another one is not");
}

TEST_CASE("a wave down the rows, and one along them, are divided by their own steps") {
  quantization_table steps = lopsided_table();
  for (const bool along : {false, true}) {
    plane<std::uint8_t> pixels(8, 8);
    for (int row = 0; row < 8; ++row)
      for (int col = 0; col < 8; ++col)
        pixels.at(row, col) = std::uint8_t(128 + (2 * (along ? col : row) < 8 ? 90 : -90));
    const plane<std::int16_t> levels = levels_of(pixels, steps);
    const codec_agreement verified = verify_levels(pixels, steps, levels, codec_way::stepwise);
    REQUIRE_MESSAGE(
        bool(verified),
        std::string(along ? "left half light, right half dark: " : "upper half light, lower half dark: "),
        describe(verified.found));
  }
}

TEST_CASE("the levels are those of the definition, for pictures of every size") {
  for (const auto& [w, h] :
       {std::pair(16, 8), {1, 1}, {7, 9}, {40, 24}, {255, 3}, {256, 16}, {257, 13}, {300, 23}}) {
    const int width = w, height = h;  // names that a lambda may use
    const plane<std::uint8_t> pixels = random_pixels(width, height);
    const codec_agreement verified =
        verify_levels(pixels, lopsided_table(), levels_of(pixels, lopsided_table()), codec_way::stepwise);
    REQUIRE_MESSAGE(bool(verified), width, " x ", height, " pixels, index row * ", padded(width),
                    " + col: ", describe(verified.found));
  }
}

TEST_CASE("one launch; every pixel loaded once, every level stored once: 3 bytes for a pixel") {
  const device_plane<std::uint8_t> pixels(random_pixels(256, 64));
  device_plane<std::int16_t> levels(256, 64);
  const auto launches = count_launches([&] { fuse_three_steps(pixels, lopsided_table(), levels); });
  if (!has_counts(launches)) return;
  CHECK_MESSAGE(launches.size() == 1, launches.size(), " launches, 1 is enough");
  const launch_counts counts = sum(launches);
  CHECK_MESSAGE(counts.global_loads == 256 * 64, several(counts.global_loads, "load"), " for ", 256 * 64,
                " pixels", idle_loads(launches));
  CHECK_MESSAGE(counts.global_stores == 256 * 64, several(counts.global_stores, "store"), " for ", 256 * 64,
                " levels");
  CHECK_MESSAGE(counts.barriers > 0,
                "the lanes want eight different steps at once: stage the steps in shared memory");
  const std::uint64_t moved_bytes = counts.global_load_bytes + counts.global_store_bytes;
  CHECK_MESSAGE(moved_bytes == 3 * 256 * 64, moved_bytes, " bytes are loaded and stored together; ",
                3 * 256 * 64, " are enough, 3 for each pixel");
}

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "common/files/numbers.hpp"
#include "fuse_three_steps.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <sstream>
#include <string>
#include <utility>

#include "08_dct8x8/host/dct_serial.hpp"
#include "09_dct_compression/checks/codec_verification.hpp"
#include "common/device/check.hpp"
#include "common/device/device_memory.hpp"
#include "common/verify/counted_check.hpp"
#include "common/verify/inputs.hpp"
#include "common/verify/work_spread.hpp"

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

/// What the worst level is, and what it should be.
std::string first_wrong(const agreement& found, const quantization_table& steps,
                        const plane<std::int16_t>& levels) {
  if (found) return "";
  const int row = int(found.worst_index) / levels.width, col = int(found.worst_index) % levels.width;
  const int v = row % 8, u = col % 8, step = steps[std::size_t(8 * v + u)],
            other = steps[std::size_t(8 * u + v)];
  const double quotient = found.worst_expected, got = found.worst_actual;
  std::ostringstream text;
  text << several(found.mismatches, "level") << " of " << found.size << " are wrong. Level (" << row << ", "
       << col << ") is (v, u) = (" << v << ", " << u << ") of its 8x8 block. The coefficient there is "
       << quotient * step << " and the step " << step << ", so it should be " << std::round(quotient)
       << ", which is nearest to " << quotient << ". It is " << got;
  if (v != u && std::abs(quotient * step / other - got) <= 0.51)
    text << ", as with the step of (" << u << ", " << v << "), " << other;
  else if (got == std::trunc(quotient))
    text << ": its fraction was cut off";
  return text.str();
}

}  // namespace

TEST_CASE("gray of 128 has only zeros: the level shift") {
  const plane<std::int16_t> levels = levels_of(plane<std::uint8_t>(8, 8, 128), lopsided_table());
  const int step = lopsided_table()[0];
  REQUIRE_MESSAGE(levels.at(0, 0) == 0,
                  "8 x 8 pixels, all 128, which is 0 after the level shift: level (0, 0) ",
                  "should be 0, and is ", levels.at(0, 0),
                  ". Without the level shift coefficient (0, 0) is 1024, ", "and its step is ", step);
  CHECK_MESSAGE(levels == plane<std::int16_t>(8, 8),
                "8 x 8 pixels, all 128: level (0, 0) is 0, as it should be, and another one is not 0");
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
        first_wrong(verified.found, steps, levels));
  }
}

TEST_CASE("the levels are those of the definition, for pictures of every size") {
  for (const auto& [w, h] :
       {std::pair(16, 8), {1, 1}, {7, 9}, {40, 24}, {255, 3}, {256, 16}, {257, 13}, {300, 23}}) {
    const int width = w, height = h;  // names that a lambda may use
    const plane<std::uint8_t> pixels = random_pixels(width, height);
    const plane<std::int16_t> levels = levels_of(pixels, lopsided_table());
    const codec_agreement verified = verify_levels(pixels, lopsided_table(), levels, codec_way::stepwise);
    REQUIRE_MESSAGE(bool(verified), width, " x ", height,
                    " pixels: ", first_wrong(verified.found, lopsided_table(), levels));
  }
}

TEST_CASE("one launch; every pixel loaded once, every level stored once: 3 bytes for a pixel") {
  const device_plane<std::uint8_t> pixels(random_pixels(256, 64));
  device_plane<std::int16_t> levels(256, 64);
  const auto launches = count_launches([&] { fuse_three_steps(pixels, lopsided_table(), levels); });
  if (!has_counts(launches)) return;
  CHECK_MESSAGE(launches.size() == 1, launches.size(), " launches, 1 is enough");
  require_work_spread(launches, 256 * 64, 8);
  const launch_counts counts = sum(launches);
  CHECK_MESSAGE(counts.global_loads == 256 * 64, several(counts.global_loads, "load"), " for ", 256 * 64,
                " pixels", idle_loads(launches));
  CHECK_MESSAGE(counts.global_stores == 256 * 64, several(counts.global_stores, "store"), " for ", 256 * 64,
                " levels");
  // 16 floats of the tile for the 8 levels of a thread, as given, and a step for each level
  CHECK_MESSAGE(counts.shared_load_bytes >= 3 * sizeof(float) * 256 * 64,
                "the lanes want eight different steps at once: stage the steps in shared memory");
  const std::uint64_t moved_bytes = counts.global_load_bytes + counts.global_store_bytes;
  CHECK_MESSAGE(moved_bytes == 3 * 256 * 64, moved_bytes, " bytes are loaded and stored together; ",
                3 * 256 * 64, " are enough, 3 for each pixel");
}

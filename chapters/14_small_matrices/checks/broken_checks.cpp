// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <vector>

#include "14_small_matrices/checks/broken.hpp"
#include "14_small_matrices/checks/round_trip_verification.hpp"
#include "common/device/device_memory.hpp"
#include "common/verify/counted_check.hpp"
#include "common/verify/inputs.hpp"

using namespace tutorial;

namespace {

using broken::product_mistake;

struct refused_pixels {
  std::size_t wrong = 0;   ///< Pixels that the checks refuse.
  std::size_t beside = 0;  ///< Bytes beside the picture that are not what they were.
};

refused_pixels refused(product_mistake made, int width, int height, const quantization_table& steps) {
  constexpr std::size_t pitch = 256;
  plane<std::uint8_t> pixels(width, height);
  for (std::size_t i = 0; i < pixels.values.size(); ++i)
    pixels.values[i] = std::uint8_t(random_bits(9, i) >> 24);
  for (int i = 0; i < 64; ++i) pixels.at(i / 8, i % 8) = 0;  // the largest DC, -1024
  const device_plane<std::uint8_t> d_pixels(pixels);
  device_buffer<std::uint8_t> bytes(pitch * std::size_t(height));
  check(cudaMemset(bytes.data(), 0x5A, bytes.size()));
  broken::round_trip(made, d_pixels, steps, {bytes.data(), width, height, pitch});
  const std::vector<std::uint8_t> all = bytes.to_host();
  plane<std::uint8_t> inside(width, height);
  refused_pixels found;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const int row = int(i / pitch), col = int(i % pitch);
    if (col < width)
      inside.at(row, col) = all[i];
    else
      found.beside += all[i] != 0x5A;
  }
  found.wrong = verify_round_trip(pixels, steps, inside).found.mismatches;
  return found;
}

}  // namespace

TEST_CASE("the checks refuse round trips that are wrong on purpose") {
  using enum product_mistake;
  const auto wrong = [](product_mistake made, int width = 128, int height = 8, int quality = 95) {
    const refused_pixels found = refused(made, width, height, luminance(quality));
    CHECK(found.beside == 0);
    return found.wrong;
  };
  CHECK(wrong(none) == 0);
  CHECK(wrong(none, 100, 11) == 0);
  CHECK(wrong(none, 128, 8, 100) == 0);
  CHECK(wrong(low_dropped) > 0);
  CHECK(wrong(high_truncated) > 0);
  CHECK(wrong(registers_exchanged) > 500);
  CHECK(wrong(b_transposed) > 500);
  CHECK(wrong(halves_exchanged) > 500);
  CHECK(wrong(scale_forgotten) > 500);
  CHECK(wrong(levels_truncated, 128, 8, 50) > 500);
  CHECK(wrong(small_levels_assumed) == 0);  // right as long as steps are 2 and more
  CHECK(wrong(small_levels_assumed, 128, 8, 100) == 64);
  CHECK(wrong(shift_forgotten) > 500);
  CHECK(wrong(mirror_forgotten) > 400);
  CHECK(wrong(zeros_outside) == 0);  // right where there is no edge
  CHECK(wrong(zeros_outside, 125, 8) > 0);
  CHECK(wrong(zeros_outside, 128, 11) > 0);
  const refused_pixels stored = refused(whole_words_stored, 125, 8, luminance(95));
  CHECK(stored.wrong == 0);
  CHECK(stored.beside == 3 * 8);
}

// Whether such a mistake changes a pixel depends on the schedule and the device. The emulated device names
// it, and ends the program that made it, so each runs in a process of its own.
TEST_CASE("the emulated device names mistakes of the products that a result may not show") {
  if (!has_counts(count_launches([] { broken::wrong_pixels(product_mistake::none); }))) return;
  CHECK(broken::not_named(broken::shown_product_mistakes()) == "");
  CHECK(broken::wrong_pixels(product_mistake::none) == 0);
}

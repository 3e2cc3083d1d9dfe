// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "find_edges.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "common/device/check.hpp"
#include "common/verify/counted_check.hpp"
#include "common/verify/inputs.hpp"
#include "common/verify/work_spread.hpp"

using namespace tutorial;

namespace {

struct picture {
  int width, height;
  std::vector<float> pixels;
  float at(int row, int col) const {
    return pixels[std::size_t(std::clamp(row, 0, height - 1)) * std::size_t(width) +
                  std::size_t(std::clamp(col, 0, width - 1))];
  }
};

/// Whole numbers of 8 bits: all sums are exact in float.
picture random_picture(int width, int height) {
  picture result{width, height, std::vector<float>(std::size_t(width) * std::size_t(height))};
  for (std::size_t i = 0; i < result.pixels.size(); ++i) result.pixels[i] = float(random_bits(7, i) % 256);
  return result;
}

float edge(const picture& x, int row, int col) {
  const float across = x.at(row - 1, col + 1) + 2 * x.at(row, col + 1) + x.at(row + 1, col + 1) -
                       (x.at(row - 1, col - 1) + 2 * x.at(row, col - 1) + x.at(row + 1, col - 1));
  const float down = x.at(row + 1, col - 1) + 2 * x.at(row + 1, col) + x.at(row + 1, col + 1) -
                     (x.at(row - 1, col - 1) + 2 * x.at(row - 1, col) + x.at(row - 1, col + 1));
  return std::abs(across) + std::abs(down);
}

void check_picture(const picture& x) {
  // The picture lies in the middle of memory that no answer may read or write.
  const std::size_t margin = std::size_t(x.width) + 129;
  std::vector<float> surrounded(x.pixels.size() + 2 * margin, std::numeric_limits<float>::quiet_NaN());
  std::ranges::copy(x.pixels, surrounded.begin() + std::ptrdiff_t(margin));
  const device_buffer<float> d_x(surrounded);
  device_buffer<float> d_y(surrounded.size());  // NaN everywhere
  find_edges(d_x.span().subspan(margin, x.pixels.size()), d_y.span().subspan(margin, x.pixels.size()),
             x.width, x.height);
  check(cudaDeviceSynchronize());
  const std::vector<float> y = d_y.to_host();
  int wrong = 0, first_row = 0, first_col = 0;
  for (int row = x.height - 1; row >= 0; --row)
    for (int col = x.width - 1; col >= 0; --col)
      if (y[margin + std::size_t(row) * std::size_t(x.width) + std::size_t(col)] != edge(x, row, col))
        ++wrong, first_row = row, first_col = col;
  REQUIRE_MESSAGE(wrong == 0, x.width, " x ", x.height, " pixels, ", wrong, " of them wrong, the first at (",
                  first_row, ", ", first_col, "): got ",
                  y[margin + std::size_t(first_row) * std::size_t(x.width) + std::size_t(first_col)],
                  ", expected ", edge(x, first_row, first_col));
  const auto is_nan = [](float value) { return std::isnan(value); };
  REQUIRE_MESSAGE(std::all_of(y.begin(), y.begin() + std::ptrdiff_t(margin), is_nan), x.width, " x ",
                  x.height, " pixels: something was written before the first");
  REQUIRE_MESSAGE(std::all_of(y.end() - std::ptrdiff_t(margin), y.end(), is_nan), x.width, " x ", x.height,
                  " pixels: something was written behind the last");
}

}  // namespace

TEST_CASE("a bright pixel, a bright column, a bright row") {
  picture x{70, 40, std::vector<float>(70 * 40)};
  SUBCASE("pixel (20, 31)") { x.pixels[20 * 70 + 31] = 1; }
  SUBCASE("pixel (0, 0)") { x.pixels[0] = 1; }
  SUBCASE("pixel (39, 69)") { x.pixels.back() = 1; }
  SUBCASE("column 29") {
    for (int row = 0; row < 40; ++row) x.pixels[std::size_t(row * 70 + 29)] = 1;
  }
  SUBCASE("row 0") { std::fill(x.pixels.begin(), x.pixels.begin() + 70, 1.0f); }
  check_picture(x);
}

TEST_CASE("pictures of any size") {
  for (const int width : {65, 1, 2, 3, 29, 30, 31, 32, 33, 60, 61, 127, 128, 129, 240, 241})
    for (const int height : {5, 1, 2, 3, 33}) check_picture(random_picture(width, height));
  for (const int height : {64, 65, 127, 128, 129, 130, 257}) check_picture(random_picture(37, height));
}

TEST_CASE("at most 1.1 loads and half a sector per pixel") {
  for (const int width : {500, 512}) {
    constexpr int height = 256;
    const device_buffer<float> x(random_picture(width, height).pixels);
    device_buffer<float> y(x.size());
    const auto launches = count_launches([&] { find_edges(x, y, width, height); });
    if (!has_counts(launches)) return;
    const launch_counts counts = sum(launches);
    const double pixels = double(x.size());
    CAPTURE(width);
    CAPTURE(height);
    const double loads = double(counts.global_loads + counts.shared_loads) / pixels;
    const double sectors = double(counts.global_load_sectors) / pixels;
    CHECK_MESSAGE(loads >= 0.25, loads, " loads per pixel: where do the pixels come from?");
    CHECK_MESSAGE(loads <= 1.1, loads, " loads per pixel, ", double(counts.shared_loads) / pixels,
                  " of them from shared memory: ", counts.global_loads + counts.shared_loads,
                  " loads, where ", std::uint64_t(1.1 * pixels), " are allowed", idle_loads(launches));
    CHECK_MESSAGE(sectors <= 0.5, sectors, " sectors per pixel");
    require_lanes_together(counts.global_stores, counts.global_store_requests, "store");
    CHECK_MESSAGE(counts.global_store_bytes == x.size() * sizeof(float), "for ", x.size(), " outputs, ",
                  counts.global_store_bytes / sizeof(float), " floats are stored: each must be stored once");
  }
}

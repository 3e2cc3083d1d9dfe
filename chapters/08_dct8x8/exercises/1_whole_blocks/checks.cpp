// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "common/files/numbers.hpp"
#include "whole_blocks.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>

#include "08_dct8x8/host/dct_serial.hpp"
#include "common/verify/compare.hpp"
#include "common/verify/counted_check.hpp"
#include "common/verify/inputs.hpp"
#include "common/verify/work_spread.hpp"

using namespace tutorial;

namespace {

plane<float> filled_up(const plane<float>& x) {
  plane<float> y(padded(x.width), padded(x.height));
  for (int row = 0; row < y.height; ++row)
    for (int col = 0; col < y.width; ++col)
      y.at(row, col) = x.at(std::min(row, x.height - 1), std::min(col, x.width - 1));
  return y;
}

plane<float> random_picture(int width, int height) {
  return {width, height, random_whole_numbers<float>(std::size_t(width) * std::size_t(height), 1, 100)};
}

/// Where the first wrong pixel is, and whether rows or columns are missing from where the other size ends on.
std::string first_wrong(const plane<float>& y, const plane<float>& expected) {
  int count = 0, first_row = 0, first_col = 0;
  bool unwritten = true, behind_col = true, behind_row = true;  // of all wrong ones
  for (int row = 0; row < y.height; ++row)
    for (int col = 0; col < y.width; ++col) {
      if (y.at(row, col) == expected.at(row, col)) continue;
      if (count++ == 0) first_row = row, first_col = col;
      unwritten = unwritten && std::isnan(y.at(row, col));
      behind_col = behind_col && col >= y.height;
      behind_row = behind_row && row >= y.width;
    }
  if (count == 0) return "";
  std::ostringstream text;
  text << count << " of " << y.width * y.height << " pixels of y are wrong, the first in row " << first_row
       << ", column " << first_col << ": ";
  if (std::isnan(y.at(first_row, first_col)))
    text << "nothing was written there";
  else
    text << "it should be " << expected.at(first_row, first_col) << ", and is " << y.at(first_row, first_col);
  if (unwritten && (behind_col || behind_row))
    text << ", nor in any " << (behind_col ? "column" : "row") << " from number "
         << (behind_col ? y.height : y.width) << " on, which is the " << (behind_col ? "height" : "width")
         << " of y. Are width and height exchanged, in a guard or in the grid?";
  return text.str();
}

}  // namespace

TEST_CASE("every pixel is where it was, and the last ones are repeated") {
  for (const auto& [w, h] :
       {std::pair(16, 8), {1, 1}, {7, 9}, {8, 8}, {9, 7}, {33, 17}, {100, 50}, {257, 3}}) {
    const int width = w, height = h;  // names that a lambda may use
    const plane<float> x = random_picture(width, height), expected = filled_up(x);
    const device_plane<float> d_x(x);
    device_plane<float> d_y(expected.width, expected.height);
    fill_up_to_blocks(d_x, d_y);
    check(cudaDeviceSynchronize());
    const std::string wrong = first_wrong(d_y.to_host(), expected);
    REQUIRE_MESSAGE(wrong.empty(), width, " x ", height, " pixels, y has ", expected.width, " x ",
                    expected.height, ": ", wrong);
  }
}

TEST_CASE("a part of a larger picture: nothing around it is read or written") {
  constexpr int width = 21, height = 13, margin = 8;
  const plane<float> x = random_picture(width, height), expected = filled_up(x);
  plane<float> around(width + 2 * margin, height + 2 * margin, std::nanf(""));
  for (int row = 0; row < height; ++row)
    for (int col = 0; col < width; ++col) around.at(margin + row, margin + col) = x.at(row, col);
  const device_plane<float> d_x(around);
  // NaN everywhere, and rows so much longer that the two pitches are different
  device_plane<float> d_y(expected.width + 2 * margin + 128, expected.height + 2 * margin);
  const auto part = [](auto whole, int width, int height) {
    return decltype(whole)(whole.data() + margin * (whole.pitch() / sizeof(float)) + margin, width, height,
                           whole.pitch());
  };
  fill_up_to_blocks(part(d_x.span(), width, height), part(d_y.span(), expected.width, expected.height));
  const plane<float> y = d_y.to_host();
  std::size_t wrong = 0, written = 0;
  for (int row = 0; row < y.height; ++row)
    for (int col = 0; col < y.width; ++col) {
      const int r = row - margin, c = col - margin;
      if (0 <= r && r < expected.height && 0 <= c && c < expected.width)
        wrong += y.at(row, col) != expected.at(r, c);
      else
        written += !std::isnan(y.at(row, col));
    }
  CHECK_MESSAGE(wrong == 0, "21 x 13 pixels within a larger picture: ", wrong, " of ",
                expected.width * expected.height, " pixels of y are wrong");
  CHECK_MESSAGE(written == 0, "21 x 13 pixels within a larger picture: ", written,
                " pixels around y were written");
}

TEST_CASE("a warp reads and writes a stretch of a row") {
  const device_plane<float> x(random_picture(256, 64));
  device_plane<float> y(256, 64);
  const auto launches = count_launches([&] { fill_up_to_blocks(x, y); });
  if (!has_counts(launches)) return;
  const launch_counts counts = sum(launches);
  CHECK_MESSAGE(counts.global_loads == 256 * 64, several(counts.global_loads, "load"), " for ", 256 * 64,
                " pixels", idle_loads(launches));
  CHECK_MESSAGE(counts.global_stores == 256 * 64, several(counts.global_stores, "store"), " for ", 256 * 64,
                " pixels");
  const double loaded = double(counts.global_load_sectors) / double(counts.global_load_requests),
               stored = double(counts.global_store_sectors) / double(counts.global_store_requests);
  CHECK_MESSAGE(
      loaded == 4, loaded,
      " sectors for each load request; 32 floats side by side are 4. Have neighbors in a warp neighboring "
      "columns: is x the column?");
  CHECK_MESSAGE(
      stored == 4, stored,
      " sectors for each store request; 32 floats side by side are 4. Have neighbors in a warp neighboring "
      "columns: is x the column?");
  require_work_spread(launches, 256 * 64, 8);
}

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "one_block_shown.hpp"

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "08_dct8x8/host/dct_serial.hpp"
#include "08_dct8x8/show/rock_pixels.hpp"
#include "09_dct_compression/host/compress_serial.hpp"
#include "09_dct_compression/host/quantization.hpp"
#include "common/show/table.hpp"

namespace tutorial {
namespace {

constexpr int quality = 50;

const plane<std::uint8_t> rock{8, 8, {rock_pixels.begin(), rock_pixels.end()}};

/// Two squares of 8 rows side by side; `left` and `right` give the value at (row, column).
template <class Left, class Right>
text_table two_squares(const std::string& corner, const Left& left, const Right& right) {
  std::vector<text_table::column> columns;
  for (int side = 0; side < 2; ++side) {
    columns.push_back({side == 0 ? corner : "     " + corner});
    for (int col = 0; col < 8; ++col) columns.push_back({std::to_string(col)});
  }
  text_table result(columns);
  for (int row = 0; row < 8; ++row) {
    std::vector<std::string> cells = {std::to_string(row)};
    for (int col = 0; col < 8; ++col) cells.push_back(std::to_string(left(row, col)));
    cells.push_back(std::to_string(row));
    for (int col = 0; col < 8; ++col) cells.push_back(std::to_string(right(row, col)));
    result.add_row(cells);
  }
  return result;
}

/// "-8  3 0 0 ... -1, end of block": up to the last level that is not zero.
std::string along_the_path(const plane<std::int16_t>& levels) {
  std::size_t last = 0;
  for (std::size_t i = 1; i < 64; ++i)
    if (levels.values[zigzag_order()[i]] != 0) last = i;
  std::string text;
  for (std::size_t i = 0; i <= last; ++i) text += std::to_string(levels.values[zigzag_order()[i]]) + " ";
  return text + (last < 63 ? "end of block" : "");
}

}  // namespace

void show_one_block(chapter_run& run) {
  const quantization_table steps = table_for(component_kind::luminance, quality);
  const auto step = [&](int v, int u) { return int(steps[std::size_t(8 * v + u)]); };
  plane<float> shifted(8, 8);
  for (std::size_t i = 0; i < 64; ++i) shifted.values[i] = float(rock.values[i]) - 128;
  const plane<double> coefficients = dct8x8_matrix(shifted);
  const plane<std::int16_t> levels = encode_serial(rock, steps);
  const plane<std::uint8_t> back = decode_serial(levels, steps, 8, 8);

  run.show("64 pixels of data/gray.png, from row 296, column 64, and their coefficients, rounded",
           two_squares(
               "", [&](int row, int col) { return int(rock.at(row, col)); },
               [&](int v, int u) { return std::lround(coefficients.at(v, u)); }));
  run.show("The steps at quality " + std::to_string(quality) + ", and the levels",
           two_squares("", step, [&](int v, int u) { return int(levels.at(v, u)); }));
  run.say("In zig-zag order: " + along_the_path(levels));
  run.say();
  run.show("The pixels that come back, and what they are off by",
           two_squares(
               "", [&](int row, int col) { return int(back.at(row, col)); },
               [&](int row, int col) { return int(back.at(row, col)) - int(rock.at(row, col)); }));
}

}  // namespace tutorial

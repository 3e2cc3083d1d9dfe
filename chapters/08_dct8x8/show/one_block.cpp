// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "one_block.hpp"

#include <cmath>
#include <string>
#include <vector>

#include "08_dct8x8/host/dct_serial.hpp"
#include "common/files/numbers.hpp"
#include "rock_pixels.hpp"

namespace tutorial {
namespace {

// clang-format off
/// Of data/gray.png, from row 64, column 160: the edge of a roof.
const plane<float> roof{8, 8, {
  36,  45, 107, 121, 121, 121, 121, 121,
  36,  36,  48, 110, 122, 122, 122, 122,
  36,  36,  36,  50, 113, 122, 122, 122,
  36,  36,  36,  36,  53, 116, 123, 123,
  36,  36,  36,  36,  36,  56, 119, 123,
  36,  36,  36,  36,  36,  36,  59, 122,
  36,  36,  36,  36,  36,  36,  36,  62,
  36,  36,  36,  36,  36,  36,  36,  36}};
// clang-format on

const plane<float> rock{8, 8, {rock_pixels.begin(), rock_pixels.end()}};

/// A corner with the names of rows and columns, then the numbers 0 to 7.
text_table square(const std::string& corner) {
  std::vector<text_table::column> columns = {{corner}};
  for (int i = 0; i < 8; ++i) columns.push_back({std::to_string(i)});
  return text_table(columns);
}

/// Eight rows of eight values; `text` writes one.
template <class Value>
text_table square(const std::string& corner, const Value& text) {
  text_table result = square(corner);
  for (int row = 0; row < 8; ++row) {
    std::vector<std::string> cells = {std::to_string(row)};
    for (int col = 0; col < 8; ++col) cells.push_back(text(row, col));
    result.add_row(cells);
  }
  return result;
}

struct remainder {
  double left_out = 0;  ///< Sum of the squares of the coefficients that were not kept.
  double error = 0;     ///< Sum of the squares of what the pixels are off by.
};

/// Only the coefficients with u + v < corner are kept.
remainder without_high_frequencies(const plane<float>& pixels, int corner) {
  const plane<double> all = dct8x8_matrix(pixels);
  plane<float> kept(8, 8);
  remainder result;
  for (int v = 0; v < 8; ++v)
    for (int u = 0; u < 8; ++u)
      if (u + v < corner)
        kept.at(v, u) = float(all.at(v, u));
      else
        result.left_out += all.at(v, u) * all.at(v, u);
  const plane<double> back = idct8x8_matrix(kept, 8, 8);
  for (std::size_t i = 0; i < back.values.size(); ++i) {
    const double error = back.values[i] - double(pixels.values[i]);
    result.error += error * error;
  }
  return result;
}

}  // namespace

void show_one_block(chapter_run& run) {
  const dct_matrix_t& a = dct_matrix();
  run.show("A: each row is a wave, sampled at eight places",
           square("u\\x", [&](int u, int x) { return fixed(a[std::size_t(u)][std::size_t(x)], 3); }));
  run.show("X: 64 pixels of data/gray.png, from row 296, column 64",
           square("y\\x", [&](int y, int x) { return std::to_string(std::lround(rock.at(y, x))); }));
  const plane<double> columns = [&] {
    plane<double> sums(8, 8);
    for (int v = 0; v < 8; ++v)
      for (int x = 0; x < 8; ++x)
        for (int y = 0; y < 8; ++y)
          sums.at(v, x) += a[std::size_t(v)][std::size_t(y)] * double(rock.at(y, x));
    return sums;
  }();
  run.show("A X: every column transformed, rounded",
           square("v\\x", [&](int v, int x) { return std::to_string(std::lround(columns.at(v, x))); }));
  const plane<double> coefficients = dct8x8_definition(rock);
  run.show("C = A X A^T: every row of A X transformed, rounded",
           square("v\\u", [&](int v, int u) { return std::to_string(std::lround(coefficients.at(v, u))); }));

  text_table kept({{"u + v <"},
                   {"kept"},
                   {"rock: left out"},
                   {"error"},
                   {"per pixel"},
                   {"roof: left out"},
                   {"error"},
                   {"per pixel"}});
  for (const int corner : {1, 2, 3, 4, 6, 8, 15}) {
    int count = 0;
    for (int v = 0; v < 8; ++v)
      for (int u = 0; u < 8; ++u) count += u + v < corner;
    std::vector<std::string> cells = {std::to_string(corner), std::to_string(count)};
    for (const plane<float>* pixels : {&rock, &roof}) {
      const remainder r = without_high_frequencies(*pixels, corner);
      for (const double value : {r.left_out, r.error})
        cells.push_back(grouped(std::uint64_t(std::llround(value))));
      cells.push_back(fixed(std::sqrt(r.error / 64), 1));
    }
    kept.add_row(cells);
  }
  run.show("Low frequencies alone: squares left out, squares of errors, error of a pixel (root mean square)",
           kept);
}

}  // namespace tutorial

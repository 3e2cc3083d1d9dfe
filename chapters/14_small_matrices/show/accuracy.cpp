// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "accuracy.hpp"

#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "08_dct8x8/host/dct_serial.hpp"
#include "09_dct_compression/host/compress_serial.hpp"
#include "14_small_matrices/checks/round_trip_verification.hpp"
#include "14_small_matrices/checks/test_planes.hpp"
#include "14_small_matrices/checks/unrounded.hpp"
#include "14_small_matrices/kernels/product_matrices.hpp"
#include "common/files/numbers.hpp"

namespace tutorial {
namespace {

using align = text_table::align;

std::string scientific(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1e", x);
  return text;
}
std::string with_places(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6f", x);
  return text;
}

std::string pair_of(int first, int second) {
  return "(" + std::to_string(first) + ", " + std::to_string(second) + ")";
}

}  // namespace

void show_matrix(chapter_run& run) {
  constexpr int shown[] = {0, 1, 6, 7};  // a place, its neighbor, and their mirror images
  std::vector<text_table::column> columns = {{"coefficient (v, u)", align::left}};
  for (const int row : {0, 7})
    for (const int column : shown) columns.push_back({pair_of(row, column)});
  text_table table(columns);
  const dct_matrix_t& a = dct_matrix();
  for (const auto& [v, u] : {std::pair(0, 0), {0, 1}, {1, 0}, {1, 1}, {2, 3}}) {
    std::vector<std::string> cells = {pair_of(v, u)};
    for (const int row : {0, 7})
      for (const int column : shown) {
        char text[32];
        std::snprintf(text, sizeof text, "%.4f",
                      a[std::size_t(v)][std::size_t(row)] * a[std::size_t(u)][std::size_t(column)]);
        cells.emplace_back(text);
      }
    table.add_row(cells);
  }
  run.show("the 64 x 64 matrix, A[v][row] A[u][column]: some coefficients, some pixels (row, column)", table);
}

void show_split(chapter_run& run) {
  const quantization_table steps = table_for(component_kind::luminance, 50);
  const split_matrices matrices = split_matrices_of(steps);
  text_table table(
      {{"coefficient (v, u)", align::left}, {"element"}, {"high"}, {"low"}, {"left over"}, {"relative"}});
  for (const auto& [v, u] : {std::pair(0, 0), {0, 1}, {1, 0}, {3, 5}, {7, 7}}) {
    const int part = 2 * (v % 2) + u % 2, n = 4 * (v / 2) + u / 2;
    const double exact = dct_matrix()[std::size_t(v)][0] * dct_matrix()[std::size_t(u)][0] /
                         steps[std::size_t(8 * v + u)] * forward_scale;
    const split_matrix& matrix = matrices.forward[part];
    const double high = matrix.high_at(0, n), left = std::abs(exact - matrix.at(0, n));
    table.add_row({pair_of(v, u), with_places(exact), with_places(high), with_places(matrix.at(0, n) - high),
                   scientific(left), scientific(left / std::abs(exact))});
  }
  run.show("elements of the forward matrices, 65,536 A[v][0] A[u][0] / step, quality 50", table);
}

void show_errors(chapter_run& run) {
  text_table table(
      {{"pixels", align::left}, {"quality"}, {"floats"}, {"products"}, {"ratio"}, {"worst of bound"}});
  for (const auto& [kind, name] : {std::pair(plane_kind::random, "random"),
                                   {plane_kind::black_and_white, "black and white"},
                                   {plane_kind::shades, "shades"}})
    for (const int quality : {50, 100}) {
      const plane<std::uint8_t> pixels = test_plane(kind, 256, 64);
      const quantization_table steps = table_for(component_kind::luminance, quality);
      const plane<double> exact = unrounded_levels(pixels, steps);
      const std::array<double, 64> bounds = product_level_bounds(steps);
      const level_errors products = errors_of(unrounded_by_products(pixels, steps), exact, bounds);
      const level_errors floats = errors_of(unrounded_by_floats(pixels, steps), exact, bounds);
      table.add_row({name, std::to_string(quality), scientific(floats.root_mean_square),
                     scientific(products.root_mean_square),
                     fixed(products.root_mean_square / floats.root_mean_square, 2),
                     percent(products.worst_of_bound)});
      run.record({{"chapter", "14"},
                  {"work", "errors"},
                  {"type", name},
                  {"quality", std::to_string(quality)},
                  {"floats", exact_digits(floats.root_mean_square)},
                  {"products", exact_digits(products.root_mean_square)},
                  {"ratio", exact_digits(products.root_mean_square / floats.root_mean_square)},
                  {"worst_of_bound", exact_digits(products.worst_of_bound)}});
    }
  run.show("coefficient / step before it is rounded: root mean square of the errors", table);
}

}  // namespace tutorial

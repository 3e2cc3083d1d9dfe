// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "counts_table.hpp"

#include <algorithm>

#include "common/device/launch_quantities.hpp"
#include "common/files/numbers.hpp"
#include "table.hpp"

namespace tutorial {
namespace {

std::string dimensions(const unsigned (&size)[3]) {
  return std::to_string(size[0]) + " x " + std::to_string(size[1]) + " x " + std::to_string(size[2]);
}

}  // namespace

std::string counts_text(const std::vector<launch_counts>& launches, std::size_t indent) {
  constexpr std::size_t at_once = 4;  // launches side by side: more do not fit on a line
  std::string text;
  for (std::size_t begin = 0; begin < launches.size(); begin += at_once) {
    const std::size_t end = std::min(launches.size(), begin + at_once);
    std::vector<text_table::column> columns = {{"per launch", text_table::align::left}};
    std::vector<std::string> grid = {"grid"}, block = {"block"};
    for (std::size_t i = begin; i < end; ++i) {
      columns.push_back({std::to_string(i + 1) + ": " + launches[i].kernel});
      grid.push_back(dimensions(launches[i].grid));
      block.push_back(dimensions(launches[i].block));
    }
    text_table table(columns);
    table.add_row(grid);
    table.add_row(block);
    for (const launch_quantity& each : launch_quantities()) {
      std::vector<std::string> row = {each.name};
      bool any = false;
      for (std::size_t i = begin; i < end; ++i) {
        row.push_back(grouped(launches[i].*each.value));
        any = any || launches[i].*each.value != 0;
      }
      if (any) table.add_row(row);
    }
    text += table.text(indent);
  }
  return text;
}

std::vector<std::pair<std::string, std::string>> counts_cells(const launch_counts& counts) {
  std::vector<std::pair<std::string, std::string>> cells;
  for (const launch_quantity& each : launch_quantities())
    cells.emplace_back(each.name, std::to_string(counts.*each.value));
  return cells;
}

}  // namespace tutorial

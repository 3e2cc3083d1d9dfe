// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "controls.hpp"

#include <cuda_runtime.h>

#include <cstdio>
#include <exception>
#include <string_view>

#include "common/device/check.hpp"
#include "common/device/device.hpp"
#include "common/files/numbers.hpp"
#include "common/show/table.hpp"

namespace tutorial {

void control_rows::measure(cells what, const std::function<void(int)>& launch,
                           const std::function<cells(const timing&)>& figures) {
  const timing time = tutorial::measure(launch, {.group_ms = size(2.0, 0.1), .repeats = size(15, 1)});
  add(std::move(what), time, figures ? figures(time) : cells{});
}

void control_rows::add(cells what, const timing& time, cells figures) {
  what.emplace_back("median_ms", significant(time.median_ms, 5));
  what.emplace_back("min_ms", significant(time.min_ms, 5));
  what.emplace_back("max_ms", significant(time.max_ms, 5));
  for (auto& cell : figures) what.push_back(std::move(cell));
  rows_.push_back(std::move(what));
}

double cycles_each(const timing& time, double count) {
  int kilohertz = 0, multiprocessors = 0;
  check(cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, 0));
  check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
  return time.median_ms * kilohertz * multiprocessors / count;
}

namespace {

void print(const std::vector<control_rows::cells>& rows) {
  std::vector<text_table::column> columns;
  for (const auto& [title, text] : rows.at(0)) columns.push_back({title, text_table::align::left});
  text_table table(columns);
  for (const auto& row : rows) {
    std::vector<std::string> texts;
    for (const auto& [title, text] : row) texts.push_back(text);
    table.add_row(texts);
  }
  std::fputs(table.text().c_str(), stdout);
}

}  // namespace

int controls_main(int argc, char** argv, const std::function<void(control_rows&)>& work) {
  bool small = false;
  std::string csv;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--small") {
      small = true;
    } else if (word == "--csv" && i + 1 < argc) {
      csv = argv[++i];
    } else {
      std::fprintf(stderr, "%s [--small] [--csv FILE]\n", argv[0]);
      return 2;
    }
  }
  try {
    control_rows rows(small);
    work(rows);
    if (csv.empty()) {
      std::printf("%s\n", current_device().name.c_str());
      print(rows.all());
    } else {
      csv_table table;
      for (const auto& row : rows.all()) table.add_row(row);
      table.save(csv);
    }
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
    return 1;
  }
}

}  // namespace tutorial

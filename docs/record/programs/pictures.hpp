// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What the programs have in common that time something on pictures, ours and a library's.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "common/device/device.hpp"
#include "common/device/measure.hpp"
#include "common/files/output_file.hpp"
#include "common/show/table.hpp"

namespace tutorial {

/// `options`; on the emulated device, where times mean nothing, those of one call, which shows that it works.
inline measure_options options_here(measure_options options = {}) {
  return current_device().emulated ? measure_options{.group_ms = 0, .repeats = 1} : options;
}

/// What is timed, and how. It throws where a result is wrong.
template <class Work>
using timed_parts = std::vector<std::pair<std::string, std::function<void(Work&)>>>;

/// Times every part. What is wrong with one of them does not keep the others from being timed. False then.
template <class Work>
bool time_parts(const char* program, int side, Work& work, const timed_parts<Work>& parts) {
  bool good = true;
  for (const auto& [by, time] : parts) try {
      time(work);
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s: %s, %d x %d: %s\n", program, by.c_str(), side, side, error.what());
      good = false;
    }
  return good;
}

/// What main() returns: 2 if the arguments are wrong, 1 if a result is.
///     PROGRAM --csv FILE [--side PIXELS]...
/// `sides` are those unless given; each is a multiple of `multiple`. `time` adds the rows of one side, and
/// says whether all is well.
inline int time_pictures(int argc, char** argv, std::vector<int> sides, int multiple,
                         const std::function<bool(int side, csv_table& rows)>& time) try {
  std::string csv;
  std::vector<int> given;
  bool good = true;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const bool followed = i + 1 < argc;
    if (word == "--csv" && followed)
      csv = argv[++i];
    else if (word == "--side" && followed && std::atoi(argv[i + 1]) > 0)
      given.push_back(std::atoi(argv[++i]));
    else
      good = false;
  }
  for (const int side : given) good = good && side % multiple == 0 && side <= 65'500;
  if (!good || csv.empty()) {
    std::fprintf(stderr, "%s --csv FILE [--side PIXELS]...    (multiples of %d)\n", argv[0], multiple);
    return 2;
  }
  require_writable(csv);
  csv_table rows;
  for (const int side : given.empty() ? sides : given) good = time(side, rows) && good;
  rows.save(csv);
  return good ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
  return 1;
}

}  // namespace tutorial

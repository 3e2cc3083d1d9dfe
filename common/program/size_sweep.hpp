// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Time against size: from works so small that only the launch counts, to works that fill the device.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "chapter.hpp"

namespace tutorial {

/// The times of some versions at growing sizes: rows for --csv, and a chart with two logarithmic axes.
class size_sweep {
 public:
  /// `name` goes into the column "sweep_of" of the data; `size_label` is under the axis: "samples".
  size_sweep(std::string name, std::string title, std::string size_label)
      : name_(std::move(name)), title_(std::move(title)), size_label_(std::move(size_label)) {}

  /// One time of a series, in ms. 0 is none, as that of a version which was left out.
  void add(const std::string& series, double size, double ms);
  /// The same of a limit that the series are held against: a line without markers.
  void add_limit(const std::string& series, double size, double ms);

  /// Records a row for each time (table = sweep, sweep_of, sweep_size, label, sweep_ms) and draws the chart
  /// under that name (see chapter_run::draw). Does neither where nothing was added or the run has failed.
  void show(chapter_run& run, const std::string& picture_name) const;

 private:
  void add_point(const std::string& series, double size, double ms, bool markers);

  std::string name_, title_, size_label_;
  std::vector<chart_series> series_;
};

/// `first`, four times as many, and so on up to `last`.
std::vector<std::size_t> growing_sizes(std::size_t first, std::size_t last);

}  // namespace tutorial

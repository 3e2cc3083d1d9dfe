// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Versions of one task side by side: run, verified, measured or counted, printed and recorded. What the task
// is, its units and its limits, say signals.hpp (convolutions) and pictures.hpp (planes of pixels).
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "chapter.hpp"
#include "common/device/device.hpp"
#include "common/device/measure.hpp"
#include "common/verify/compare.hpp"

namespace tutorial {

/// What a comparison found, and what has to be said beside it ("3 at ties").
struct verification {
  agreement found;
  std::string remark = {};

  verification() = default;
  /// `remark` stands behind the finding in a table.
  verification(const agreement& found, std::string remark = {}) : found(found), remark(std::move(remark)) {}
  /// Whether nothing was further off than its bound.
  explicit operator bool() const { return bool(found); }
};
/// One line: describe() of what was found, and the remark.
std::string describe(const verification& verified);

/// What a table calls a version: "02 direct".
inline std::string version_label(std::string_view chapter, std::string_view name) {
  return std::string(chapter) + " " + std::string(name);
}

/// A version that is ready to run one task, with the memory that it works on.
struct ready_version {
  std::string name;   ///< For --variant: "direct".
  std::string label;  ///< For tables: "02 direct".
  double bytes = 0;   ///< What it reads and writes, together.
  /// Called once, before everything else; neither timed nor counted. May be empty.
  std::function<void()> prepare = {};
  /// Runs it once on that one of its sets of buffers; on the device it need not wait. Called with 0 first.
  std::function<void(int set)> launch;
  /// Compares what launch(0) has left.
  std::function<verification()> verify;
  int sets = 1;  ///< Times are those of launch(i % sets).
  bool on_device = true;
  counted_blocks counted = counted_blocks::together;  ///< One by one where its blocks wait for each other.
  bool too_large = false;  ///< The task takes it too long: it is skipped, and the table says so.
};

/// What became of one version in one table.
struct version_row {
  std::string name = {}, label = {};
  bool skipped = false, on_device = false;
  double bytes = 0;
  timing time = {};     ///< Zero where counts are shown instead.
  double limit_ms = 0;  ///< The best that the device could do, measured in the same run; 0 if it was not.
  double of_limit = 0;  ///< limit_ms / median; 0 where it has no meaning.
  std::vector<launch_counts> launches = {};  ///< Empty where nothing is counted.
  launch_counts counts = {};                 ///< Their sum.
  verification verified = {};
};

/// A column of figures about a row; it is left out where it is 0 in all rows, unless it is always there.
struct version_column {
  std::string title;
  std::function<double(const version_row&)> amount;
  /// What the amount is divided by: by the time in ms for a rate.
  std::function<double(const version_row&)> per;
  bool always = false;
};

using csv_cells = std::vector<std::pair<std::string, std::string>>;

/// All versions of one task. What differs between the kinds of tasks, the front that makes it fills in.
struct version_table {
  std::string title = {};      ///< "A", "forward": for --csv and progress.
  std::string heading = {};    ///< "A  'same', 5 taps, 100,000 double"
  std::string too_large = {};  ///< What takes a skipped version too long: "2,000 products".
  double units = 0;            ///< Outputs or pixels: what counts are divided by.
  std::vector<version_column> rates = {}, counts = {};
  csv_cells described = {};                                    ///< The task, for --csv.
  std::function<csv_cells(const version_row&)> measured = {};  ///< Rates and limits of a row, for --csv.
  std::vector<version_row> rows = {};
  std::vector<version_row> limits = {};  ///< What rows are held against: label, bytes, time.
  double copies_ms = 0;         ///< Input there, output back, from pageable memory; 0 if not measured.
  double pinned_copies_ms = 0;  ///< The same from pinned memory; 0 if not measured.

  /// The row of a version; nullptr if it is not in the table or was skipped.
  const version_row* find(std::string_view name) const;
  /// How often threads load from global memory for each output or pixel.
  double loads_per_unit(const version_row& row) const { return double(row.counts.global_loads) / units; }
};

/// The figures of counts: loads and bytes for each `unit` ("output"), texture fetches, what a request moves,
/// barriers. `stores_too`: whether a request may be a store in sectors/request; with it also distinct
/// constants/request.
std::vector<version_column> count_columns(const std::string& unit, double units, bool stores_too);

/// Beside the counts of an emulated device times would be taken for a GPU's.
bool times_mean_something(const chapter_run& run, const std::vector<ready_version>& versions);

/// Runs, verifies, measures or counts every version, and adds its row; fails the run where one is wrong.
/// `limit` gives the best time for a version, as a row of table.limits (which it may add to); it is called
/// for what was timed on the device. Prints and records nothing.
void run_versions(chapter_run& run, version_table& table, const std::vector<ready_version>& versions,
                  const std::function<double(const ready_version&)>& limit);

/// Heading and table, and with --counts what each launch did.
void print(chapter_run& run, const version_table& table);
/// Every row for --csv.
void record(chapter_run& run, const version_table& table, const std::string& chapter_number);

/// "1.23" or, where it is not known, "".
std::string measured_figure(double value);

}  // namespace tutorial

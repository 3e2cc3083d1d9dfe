// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What a chapter's executable is made of. Its demo.cpp defines this_chapter(); main is in chapter_main.cpp.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/device/device.hpp"
#include "common/show/chart.hpp"
#include "common/show/table.hpp"
#include "options.hpp"

namespace tutorial {

/// One run of a chapter: what was asked for, on which device, and what is to come out of it.
class chapter_run {
 public:
  /// `options` must outlive the run.
  chapter_run(const chapter_options& options, device_facts device)
      : options_(options), device_(std::move(device)) {}

  /// What was asked for on the command line.
  const chapter_options& options() const { return options_; }
  /// The device that kernels run on.
  const device_facts& device() const { return device_; }

  /// Prints a paragraph: text and a line end.
  void say(std::string_view text = {});
  /// Prints a line in the tone of a heading, then the table under it.
  void show(std::string_view heading, const text_table& table);
  /// With --variant: is it this one? Otherwise yes.
  bool wants(std::string_view variant) const {
    return options_.variant.empty() || options_.variant == variant;
  }
  /// A row for --csv.
  void record(const std::vector<std::pair<std::string, std::string>>& cells) { csv_.add_row(cells); }
  /// The chart for --picture; a chapter with a picture calls it in its demo. Of several, one has no name; the
  /// others are written beside it: --picture a.svg and the name "length" give a_length.svg.
  void draw(chart what, const std::string& name = "") {
    if (name.empty())
      picture_ = std::move(what);
    else
      further_pictures_.emplace_back(name, std::move(what));
  }
  /// Something was verified and is wrong: says so on standard error, and the exit status will be 1.
  void fail(std::string_view what);

  /// Whether fail() was called.
  bool failed() const { return failed_; }
  /// What record() has collected.
  const csv_table& csv() const { return csv_; }
  /// The chart without a name that draw() was given; empty if there was none.
  const std::optional<chart>& picture() const { return picture_; }
  /// Those with a name, in the order in which they were drawn.
  const std::vector<std::pair<std::string, chart>>& further_pictures() const { return further_pictures_; }

 private:
  const chapter_options& options_;
  device_facts device_;
  csv_table csv_;
  std::optional<chart> picture_;
  std::vector<std::pair<std::string, chart>> further_pictures_;
  bool failed_ = false;
};

/// A name that --variant knows.
struct chapter_variant {
  std::string name = {};         ///< For --variant: "direct".
  std::string description = {};  ///< For --list: one line.
};

/// All that the shared main must know of a chapter.
struct chapter {
  std::string number = {};  ///< "02"
  std::string name = {};    ///< "direct_kernel"
  std::string title = {};   ///< "Direct kernel"
  std::string next = {};    ///< "03", or empty for the last one.
  own_data accepts = {};
  own_picture picture = own_picture::none;  ///< What --picture gives.
  bool has_long_tables = false;             ///< Has --long.
  bool explains = false;                    ///< Has --explain.
  bool on_host = false;                     ///< Nothing of it runs on the device.
  std::vector<chapter_variant> variants = {};
  std::function<void(chapter_run&)> demo = {};
  std::function<void(chapter_run&)> on_own_data =
      {};  ///< Called instead of checks and demo; needed if it accepts any.
};

/// Defined by each chapter's demo.cpp.
chapter this_chapter();

/// The body of main, without doctest: for tests. Returns the exit status: 0, 1 or 2.
/// `run_checks` runs the doctest cases with these arguments of doctest's own and returns the exit status.
int run_chapter(const chapter& what, std::span<const char* const> arguments,
                const std::function<int(const std::vector<std::string>&)>& run_checks);

}  // namespace tutorial

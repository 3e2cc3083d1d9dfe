// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What the convolution chapters share: their versions side by side on standard works and on the reader's own
// data.
//
//     chapter this_chapter() {
//       return convolution_chapter({.number = "02", .name = "direct_kernel", .title = "The direct kernel",
//                                   .next = "03",
//                                   .reference = reference_convolutions(),
//                                   .versions = {versions::all_cores, versions::direct},
//                                   .demo = [](convolution_demo& demo) { demo.table(demo.work_a()); }});
//     }
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "chapter.hpp"
#include "common/verify/convolution.hpp"
#include "convolution_version.hpp"
#include "versions.hpp"

namespace tutorial {

/// A table of convolution versions, and what it is about.
struct convolution_table : version_table {
  convolution_work work;
  std::size_t outputs = 0;
  double products = 0;  ///< Multiplications whose result counts.
  double copy_ms = 0;   ///< A plain copy of as many bytes; 0 if not measured.
  double fma_ms = 0;    ///< The arithmetic at the measured FMA rate; 0 if not measured.
  double limit_ms = 0;  ///< The larger of the two.
};

struct convolution_chapter_parts;

/// What a chapter's demo works with.
class convolution_demo {
 public:
  /// Both must outlive it.
  convolution_demo(chapter_run& run, const convolution_chapter_parts& parts) : run_(run), parts_(parts) {}

  /// Smoothing: 'same', 5 taps, 10,000,000 doubles; bound by memory. Smaller on the emulated device.
  convolution_work work_a() const;
  /// Full, 1025 taps, 2^24 floats; bound by arithmetic. Smaller on the emulated device.
  convolution_work work_b() const;

  /// Runs, verifies, measures or counts every version (or those named), prints the table and returns it.
  convolution_table table(const convolution_work& work, const std::vector<std::string>& versions = {});
  /// The same, but nothing is printed or recorded for --csv, and the copies there and back are not measured:
  /// for a chapter's own table over many works. A row that is wrong fails the run here, too.
  convolution_table quiet_table(const convolution_work& work, const std::vector<std::string>& versions = {});

  /// For --picture: the times of these versions against the length of the signal, beside those of a copy. 5
  /// taps ('same', doubles, as work A) are the picture under `name`, 1025 (full, floats, as work B) the one
  /// under "long". A version is left out from the first work on that it does not fit. Does nothing
  /// without --picture.
  void draw_sizes(
      const std::vector<std::string>& versions, const std::string& name = "",
      const std::function<bool(const std::string& version, const convolution_work& work)>& fits = {});

  /// Prints a paragraph, as chapter_run::say() does.
  void say(std::string_view text = {}) { run_.say(text); }
  /// With --variant: is it this one? Otherwise yes.
  bool wants(std::string_view version) const { return run_.wants(version); }
  /// Whether kernels run on the emulated device: it counts and has no times.
  bool emulated() const { return run_.device().emulated; }
  /// The run that all of this belongs to.
  chapter_run& run() { return run_; }

 private:
  convolution_table compute(const convolution_work& work, const std::vector<std::string>& versions,
                            bool with_copies);

  chapter_run& run_;
  const convolution_chapter_parts& parts_;
};

/// What a chapter that convolves signals says of itself, for convolution_chapter().
struct convolution_chapter_parts {
  std::string number = {}, name = {}, title = {}, next = {};
  /// The oracle of every verification, for the three types.
  for_each_type<host_convolution> reference = {};
  std::vector<convolution_version> versions = {};
  std::vector<chapter_variant> extras = {};  ///< What --variant may name besides.
  std::string default_version = {};          ///< For the reader's own data; empty: the last one.
  own_picture picture = own_picture::none;   ///< What --picture gives.
  bool has_long_tables = false;              ///< Has --long.
  std::function<void(convolution_demo&)> demo = {};
};

/// The chapter that these parts make: its demo, what it does with a reader's own data, and its list of
/// versions.
chapter convolution_chapter(convolution_chapter_parts parts);

}  // namespace tutorial

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What a report says, and the page that it makes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "device/failed_calls.hpp"
#include "report_source.hpp"
#include "vector_types.h"
#include "watch/counts.hpp"

namespace cuda_emulator {

struct reported_picture {
  std::string title, remark;  ///< The remark says what of the block is shown, where that is not all.
  std::string view, options;  ///< For chapters/draw: "sectors", "--warp 0".
  std::string svg;            ///< An element, for a page that has draw::picture_style().
};

/// All launches of one kernel.
struct reported_kernel {
  std::string name, place;  ///< "transpose_kernel<float, 0>", "transpose.cu:12"
  bool of_library = false;  ///< Nothing is counted.
  std::uint64_t launches = 0, refused = 0, blocks = 0, threads = 0;
  std::uint64_t first_launch = 0;  ///< Its number.
  count_totals counts{};
  std::vector<reported_picture> pictures;
  std::string without_pictures;  ///< Why there are none.
  std::string steps;  ///< A page on which one steps through the block of the pictures; empty: there is none.
  std::string steps_file;  ///< Its name, beside the report; empty: it has not been written.
};

struct reported_launch {
  std::uint64_t number;
  std::size_t kernel;  ///< Into report_record::kernels.
  std::string place;   ///< Where it is launched.
  dim3 grid, block;
  std::size_t dynamic_shared;
  std::uint64_t threads;
  count_totals counts{};
  std::string remark;  ///< Empty, or how it ended other than by itself.
};

/// A launch that the page begins with.
struct reported_failure {
  reported_launch launch;
  reported_kernel kernel;  ///< Of this launch alone.
};

struct reported_finding {
  std::string text;  ///< As on the terminal.
  std::vector<source_excerpt> excerpts;
};

struct report_record {
  std::string name, command, date, device, order;
  std::string end;  ///< "exit status 0"
  bool ended_well = false;
  int workers = 0;
  bool checking = true;
  double seconds = 0;
  std::uint64_t launches = 0, refused = 0, calls_of_libraries = 0;
  std::vector<reported_kernel> kernels;
  std::vector<reported_launch> listed;  ///< The first ones, and those that did not end by themselves.
  std::string failed_check;             ///< What a check says that has failed; empty: none has.
  std::vector<reported_failure> shown;  ///< The launches that it is about, or the one with the finding.
  std::vector<reported_finding> findings;
  std::string timeline;  ///< An element; empty where there is none.
  std::uint64_t findings_left_out = 0;
  unasked_failures failed_calls;  ///< Of which nobody has asked why.
};

/// A page for itself: XHTML that browsers read as HTML, nothing in it comes from elsewhere.
std::string page_of(const report_record& report);

/// "3 launches, no findings"
std::string verdict_of(const report_record& report);

}  // namespace cuda_emulator

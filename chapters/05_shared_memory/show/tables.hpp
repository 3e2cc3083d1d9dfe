// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The tables of this chapter besides those of the two standard works.
#pragma once

#include <vector>

#include "common/program/signals.hpp"

namespace tutorial {

/// Loads per block as the formulas say, for the work A of the lesson in blocks of 512, and the multiply-adds
/// for each.
void show_access(chapter_run& run);

/// What launches with more and more dynamic shared memory say, without and after asking.
void show_limits(chapter_run& run);

/// What --variant may name besides versions: the two tables above, and each mistake that it shows.
std::vector<chapter_variant> extra_variants();

/// The first tile beside chapter 02's kernel and this chapter's general one: work A in float.
void show_first_tile(convolution_demo& demo);

/// The two standard works, each version a row.
void show_works(convolution_demo& demo);

/// 04 against 05 for filters of different lengths: loads per output where the device counts, times elsewhere,
/// of all lengths with --long.
void show_taps(convolution_demo& demo);

/// Three layouts of the same work: wavefronts per request where the device counts, times elsewhere.
void show_layouts(convolution_demo& demo);

/// For --picture: the times of the standard works' versions against the length of the signal.
void draw_sizes(convolution_demo& demo);

}  // namespace tutorial

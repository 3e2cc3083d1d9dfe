// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The tables of this chapter besides those of the standard works.
#pragma once

#include <string>
#include <vector>

#include "common/program/signals.hpp"

namespace tutorial {

/// 1024 x 1024 as in an often copied example, which compares sums; and four results that have the same sum.
void show_sums(chapter_run& run);

/// The table of these versions; says how large the intermediate of the tiles is, and leaves them out where it
/// is too large.
void show_with_intermediate(convolution_demo& demo, const convolution_work& work,
                            std::vector<std::string> versions);

/// The pictures: the tiles as long as there is room for their intermediate.
void draw_sizes(convolution_demo& demo);

}  // namespace tutorial

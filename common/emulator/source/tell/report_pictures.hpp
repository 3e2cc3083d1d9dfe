// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "report_page.hpp"

namespace cuda_emulator {

/// Draws what the traced block of a launch accesses into `to`: as much of it as can be read on a page.
/// `name` is that of the kernel in the page, a word; `trace` a trace with this one launch. Where not all of
/// the block can be shown, `warp` is, if it has accessed anything, else the first.
void draw_accesses(reported_kernel& to, const std::string& name, const std::string& trace, int warp = 0);

/// A picture of a timeline for a page, of its text; empty where it has nothing to show.
std::string timeline_svg(const std::string& text);

}  // namespace cuda_emulator

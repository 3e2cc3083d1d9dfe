// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The tables of this chapter beside workloads A and B. Everything in them is verified.
#pragma once

#include "common/program/signals.hpp"

namespace tutorial {

/// Walks through a table: warps and lanes in step or apart, constant against global memory. Counts on the
/// emulated device, times on a GPU; there also one row for every size of the table.
void show_walks(chapter_run& run);

/// A 5-tap filter from global and from constant memory, each for the first time in this program and then
/// again: what a measurement without warm-up measures. On the emulated device it is verified, and nothing is
/// shown.
void show_first_calls(chapter_run& run);

/// The direct kernel with its filter in global and in constant memory, for more and more taps.
void show_taps(convolution_demo& demo);

}  // namespace tutorial

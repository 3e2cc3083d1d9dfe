// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The tables of this chapter.
#pragma once

#include <vector>

#include "common/program/signals.hpp"

namespace tutorial {

/// Two segments of 16 samples through both passes, the product and both passes back: four threads with four
/// numbers each, and what is at each place after each step.
void show_walk(chapter_run& run);

/// On a GPU: measures the prices of chapter 07 and of one pass, by which everything is chosen later. Does
/// nothing on the emulated device.
void calibrate_one_pass(chapter_run& run);

/// One exchange with three paddings: requests and wavefronts, on a device that counts.
void show_exchange(chapter_run& run);

/// The way from chapter 07's passes to one: every version on 1,025 taps.
void show_way(convolution_demo& demo);

/// Every segment length for filters of 5 to 4,097 taps: loads per output where the device counts, times
/// elsewhere.
void show_segments(convolution_demo& demo);

/// A new filter in every call, chapter 07's one call beside this chapter's: 1,025 taps, 'same', so many
/// samples.
void show_one_call(convolution_demo& demo, std::size_t samples);

/// What --variant may name besides versions: the walk, the exchange, and each mistake that it shows.
std::vector<chapter_variant> extra_variants();

}  // namespace tutorial

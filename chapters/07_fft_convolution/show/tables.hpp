// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The tables of this chapter, but for the experiment: experiment.hpp.
#pragma once

#include "common/program/signals.hpp"

namespace tutorial {

/// On a GPU: measures what parts of a convolution cost here, and makes that the prices of everything that is
/// chosen later. Does nothing on the emulated device.
void calibrate(chapter_run& run);

/// The convolution theorem on a handful of numbers: linear, circular, and through the spectra.
void show_theorem(chapter_run& run);

/// Overlap-save on a dozen numbers.
void show_blocks_that_overlap(chapter_run& run);

/// Lengths of transforms that are long enough for work B, and what each takes: on a GPU.
void show_lengths(chapter_run& run);

/// Overlap-save at every power of two, expected and measured: does the cost model choose well?
void show_blocks(convolution_demo& demo);

/// Many signals with one filter, in one call and one by one.
void show_batches(chapter_run& run);

/// How far direct and transformed outputs are from those in double, and the bound.
void show_rounding(convolution_demo& demo);

}  // namespace tutorial

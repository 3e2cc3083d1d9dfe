// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The tables and the picture of this chapter.
#pragma once

#include <vector>

#include "common/program/signals.hpp"

namespace tutorial {

/// Works A and B, and between them the one with 65 taps, at which both limits of an H200 are nearly the same:
/// each version a row. Returns the tables.
std::vector<convolution_table> show_works(convolution_demo& demo);

/// The choosing function at other sizes, types, numbers of taps and alignments: each against its own limit,
/// or with what it asks for where the device counts. Works that `tables` have already are taken from there.
void show_sizes(convolution_demo& demo, const std::vector<convolution_table>& tables);

/// Registers, spills and occupancy of each kernel; on the emulated device, which has no registers, a line
/// that says so. Only without --variant.
void show_kernels(chapter_run& run);

/// The same kernel with its window in registers and in local memory; on the emulated device both are only
/// verified. Only without --variant.
void show_window_places(chapter_run& run);

/// How near each version comes to the roof, as a table and for --picture; on the emulated device, which has
/// no roof, how many products each version makes of a load, and how many operations of a byte that it asks
/// for.
void show_roofline(chapter_run& run, const std::vector<convolution_table>& tables);

}  // namespace tutorial

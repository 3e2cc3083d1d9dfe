// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The tables of this chapter.
#pragma once

#include "common/program/chapter.hpp"
#include "device_map.hpp"

namespace tutorial {

/// What each way of copying asks for and what the machine moves for it (emulated device), or how fast it is
/// (GPU). Every copy is verified.
void show_copies(chapter_run& run);

/// For --picture: the time of each copy against its size, up to 64 MiB each way. Does nothing
/// without --picture.
void draw_copies(chapter_run& run);

/// The limits of this GPU: copy speed by size, multiply-add rates, host link, launch cost. On the emulated
/// device there is nothing to measure, and it says so.
void show_limits(chapter_run& run);

/// What show_limits() shows of memory and of the host link, measured when first asked for. On the emulated
/// device there is nothing to measure: zeros.
ruler_rates rates_of_ruler();

}  // namespace tutorial

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The tables of this chapter: the codec in all its versions, there, back, and both at once.
#pragma once

#include <vector>

#include "common/program/chapter.hpp"

namespace tutorial {

/// For --variant and --list: the names of all rows, and of the mistakes that the emulated device names.
std::vector<chapter_variant> codec_variants();

/// Encode, decode and round trip at two sizes on a GPU, at one on the emulated device. Every row is held
/// against a copy of as many bytes as the work must move, whatever the version moves. Or, with --variant, one
/// of those mistakes.
void show_codec_tables(chapter_run& run);

/// For --picture on a GPU: the time of the round trip, in each way, against the size of the picture.
void draw_codec_times(chapter_run& run);

}  // namespace tutorial

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The smoothing filters: a square of taps, and the same along rows and columns, in two kernels or in one.
#pragma once

#include <string>

#include "common/program/chapter.hpp"

namespace tutorial {

/// All versions beside each other: each value against the definition, then times, or counts on the emulated
/// device.
void show_filters(chapter_run& run);

/// Whether a --variant is one of the filters.
bool is_filter(const std::string& variant);

/// --image with such a --variant: the reader's picture smoothed, verified, and written as PNG if
/// --output says where.
void filter_own_picture(chapter_run& run);

}  // namespace tutorial

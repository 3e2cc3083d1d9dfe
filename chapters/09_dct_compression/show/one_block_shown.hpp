// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// One 8x8 block in figures, there and back.
#pragma once

#include "common/program/chapter.hpp"

namespace tutorial {

/// Pixels, coefficients, steps and levels of one 8x8 block; the levels in zig-zag order; what comes back, and
/// the errors.
void show_one_block(chapter_run& run);

}  // namespace tutorial

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// One 8x8 block in figures: pixels, coefficients, and what is left of it without some of them.
#pragma once

#include "common/program/chapter.hpp"

namespace tutorial {

/// The matrix; a block with its coefficients; what becomes of two blocks if only low frequencies are kept.
void show_one_block(chapter_run& run);

}  // namespace tutorial

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What the two parts of a split matrix are worth.
#pragma once

#include "common/program/chapter.hpp"

namespace tutorial {

/// The 64 x 64 matrix of the 8x8 DCT at places that mirror each other.
void show_matrix(chapter_run& run);

/// Some elements of the matrices, their high and low part, and what is left.
void show_split(chapter_run& run);

/// The errors of what is rounded to levels, of the products and of chapter 09's float kernel, for three kinds
/// of pixels.
void show_errors(chapter_run& run);

}  // namespace tutorial

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What the chapter prints about ties.
#pragma once

#include "common/program/chapter.hpp"

namespace tutorial {

/// One coefficient exactly halfway between two levels, what four correct ways of calculating it make of it,
/// and how often random blocks hold such a one.
void show_tie(chapter_run& run);

}  // namespace tutorial

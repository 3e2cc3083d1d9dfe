// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The reader's own picture.
#pragma once

#include "common/program/chapter.hpp"

namespace tutorial {

/// --image FILE: what is left of it at --quality, by the products and by the float kernel of chapter 09, and
/// the planes verified. Where something is wrong the run fails, and nothing is written.
void round_trip_own_picture(chapter_run& run);

}  // namespace tutorial

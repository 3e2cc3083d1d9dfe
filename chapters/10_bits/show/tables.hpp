// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The tables of this chapter: pixels to a file, and back.
#pragma once

#include <vector>

#include "common/program/chapter.hpp"

namespace tutorial {

/// The chapter's versions, and the mistakes that it shows.
std::vector<chapter_variant> bit_variants();

/// For each size: files without markers, with markers, with codes made for the picture, and with colors; then
/// decoding.
void show_bit_tables(chapter_run& run);

}  // namespace tutorial

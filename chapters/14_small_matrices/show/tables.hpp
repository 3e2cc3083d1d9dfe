// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The tables of this chapter: pixels to pixels.
#pragma once

#include <vector>

#include "common/program/chapter.hpp"

namespace tutorial {

/// The chapter's versions, and the mistakes that it shows.
std::vector<chapter_variant> product_variants();

/// Two sizes on a GPU, one on the emulated device. Every version is measured in bursts of a few milliseconds;
/// on a GPU the fastest ones then run for a second back to back, for what a device does that gets warm.
void show_product_tables(chapter_run& run);

}  // namespace tutorial

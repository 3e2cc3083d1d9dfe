// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The tables of this chapter: one signal on all devices.
#pragma once

#include <vector>

#include "common/program/chapter.hpp"

namespace tutorial {

/// The chapter's versions, and the mistakes that it shows.
std::vector<chapter_variant> spread_variants();

/// All versions on all devices that there are.
void show_spread(chapter_run& run);

}  // namespace tutorial

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The tables of this chapter: a signal on the host, through the device and back.
#pragma once

#include <vector>

#include "common/program/chapter.hpp"

namespace tutorial {

/// The chapter's versions, and the mistakes that it shows.
std::vector<chapter_variant> journey_variants();

/// All versions with 1025 and with 5 taps, by the size of chunks, and with a new filter in every call.
void show_journeys(chapter_run& run);

}  // namespace tutorial

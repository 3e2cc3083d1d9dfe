// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What this chapter shows before it measures anything.
#pragma once

#include "common/program/chapter.hpp"

namespace tutorial {

/// Which block and thread own each of ten elements.
void show_owners(chapter_run& run);

/// A word from each of three threads.
void show_printf(chapter_run& run);

/// A launch that is refused, and, in a process of its own, an error while a kernel runs.
void show_errors(chapter_run& run);

/// The latter alone. Only on request, because it leaves this process without a usable device.
void show_sticky_error(chapter_run& run);

}  // namespace tutorial

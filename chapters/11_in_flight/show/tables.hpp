// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The tables and the picture of this chapter.
#pragma once

#include "common/program/signals.hpp"

namespace tutorial {

/// Copies with 1 to 8 independent loads per thread at four occupancies: bytes under way, and what became of
/// them. On a GPU, which measures the latency of a load for it, also the picture of the law.
void show_law(chapter_run& run);

/// Two limits that are no memory: lanes of a warp that take different paths, and instructions beside a copy;
/// each with its control.
void show_limits(chapter_run& run);

/// Tiles of a plane: threads load them, or a tensor map brings them where the device has such.
void show_plane(chapter_run& run);

/// 65 taps by versions of chapter 06 and of this one.
void show_ring(convolution_demo& demo);

/// The same work with rings of 1 to 4 tiles.
void show_depths(chapter_run& run);

}  // namespace tutorial

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Tables of work whose parts need nothing from each other, and of work that needs everything.
#pragma once

#include "common/program/chapter.hpp"

namespace tutorial {

/// A signal on the host over all devices, beside what copies alone take. GPU builds only.
void show_from_host(chapter_run& run);

/// A picture by rows, on as many devices as there are. GPU builds only.
void show_pictures(chapter_run& run);

/// A JPEG file by rows, likewise.
void show_files(chapter_run& run);

/// One transform of cuFFT over several devices, beside one device. GPU builds with several devices only.
void show_one_transform(chapter_run& run);

}  // namespace tutorial

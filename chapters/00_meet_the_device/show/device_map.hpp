// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The map of the device: what each place holds, how long a load from it takes, and how much it hands out.
#pragma once

#include "common/program/chapter.hpp"

namespace tutorial {

/// The rates of the ruler that are rates of places, too: bytes per second.
struct ruler_rates {
  double memory = 0;     ///< Copied from device memory to device memory, read and written bytes together.
  double host_link = 0;  ///< From pinned memory of the host to the device.
};

/// Walks through registers, shared memory, the caches, device memory and the host's, verifies where each walk
/// ended, and shows the map as a table. On the emulated device, which has neither caches nor times, sizes
/// only.
void show_map(chapter_run& run, const ruler_rates& rates);

}  // namespace tutorial

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The reader's own picture: --image.
#pragma once

#include "common/program/chapter.hpp"

namespace tutorial {

/// Compresses the picture on the device, verifies every level and every pixel against the serial definition,
/// prints size and quality, and writes what was asked for. Where something is wrong, the run fails and
/// nothing is written. With --variant rate_distortion: that table for the picture.
void compress_own_picture(chapter_run& run);

}  // namespace tutorial

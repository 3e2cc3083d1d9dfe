// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The reader's own picture: --image, or --decode.
#pragma once

#include "common/program/chapter.hpp"

namespace tutorial {

/// --image FILE: to a JPEG file, made on the device, and compared byte for byte with libjpeg's file of the
/// same levels. --decode FILE.jpg: to pixels, on the device. Where something is wrong the run fails, and
/// nothing is written.
void code_own_picture(chapter_run& run);

}  // namespace tutorial

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The tables of this chapter, and the reader's own picture.
#pragma once

#include <string>

#include "common/device/plane.hpp"
#include "common/files/image.hpp"
#include "common/program/chapter.hpp"

namespace tutorial {

/// All versions, there and back: each value against the definition, then times, or counts on the emulated
/// device, where the picture is small.
void show_versions(chapter_run& run);

/// For --picture: the time of each version on the device against the size of the picture, forward. Does
/// nothing without --picture.
void draw_versions(chapter_run& run);

/// What blocks of 64 threads cost alone: kernels that do next to nothing beside the versions.
void show_block_starts(chapter_run& run);

/// Gray as it is; of color its luminance as JPEG takes it (ITU-T T.871), not rounded.
plane<float> luminance(const image& picture);
/// "picture  my.png: 512 x 384 pixels, gray"
std::string own_picture_line(const std::string& file, const image& picture);

/// --image: the coefficients of the reader's picture, verified, and written if --output says where.
void transform_own_picture(chapter_run& run);

}  // namespace tutorial

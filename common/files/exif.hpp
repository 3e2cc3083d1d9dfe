// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// How the camera was held when it took a picture: EXIF's tag 274 (orientation).
#pragma once

#include <cstdint>
#include <span>

#include "image.hpp"

namespace tutorial::detail {

/// 1 to 8, of the content of a JPEG's APP1 segment or a PNG's eXIf chunk. 1, upright, where it does not say
/// so: no EXIF, no such tag, cut short, another number.
int exif_orientation(std::span<const std::uint8_t> segment);

/// What is stored with this orientation, upright: the same values in other places.
image upright(image stored, int orientation);

}  // namespace tutorial::detail

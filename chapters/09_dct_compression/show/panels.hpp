// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Pictures of what compression does to a picture.
#pragma once

#include <vector>

#include "09_dct_compression/dct/dct.hpp"
#include "common/files/image.hpp"

namespace tutorial {

/// Pictures of one size side by side, so many in a row, with white lines between. Gray ones among colored
/// ones become colored. Throws std::invalid_argument for none, or for several sizes.
image side_by_side(const std::vector<image>& pictures, int columns);

/// The coefficients of the component 0, level * step, each where its 8x8 block has it: black is 0, and the
/// brightness of the others 255 log(1 + |coefficient|) / log(1 + 1024), rounded. 1024 is the largest that 8
/// bits per pixel can give. Cropped to the picture.
image coefficient_picture(const dct::picture& picture);

/// 128 + factor (result - original), clamped to 0..255: gray where nothing changed. Throws
/// std::invalid_argument if the sizes or channels differ.
image amplified_difference(const image& original, const image& result, int factor);

/// How often the difference is amplified, and how many levels of each 8x8 block the first panels keep.
constexpr int difference_factor = 8;
inline const std::vector<int> first_counts = {1, 3, 6, 10, 15, 28};

/// Original | coefficients
/// result   | difference times difference_factor
image panels(const image& original, const dct::picture& picture, const image& result);

/// The result of the first 1, 3, 6, | 10, 15, 28 levels of each 8x8 block on the zig-zag path.
image first_panels(const dct::picture& picture);

/// The pixels that a reader of the JPEG sees.
image reconstructed(const dct::picture& picture, dct::processor where);

}  // namespace tutorial

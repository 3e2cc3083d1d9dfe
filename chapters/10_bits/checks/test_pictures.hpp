// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Pictures for the checks, and what two files differ in.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/files/image.hpp"

namespace tutorial {

/// Noise needs the longest codes, a slope with edges is what pictures are like, one color the shortest; one
/// wave, the shortest of an 8x8 block, has a long run of zeros before its level.
enum class picture_kind { noise, slopes, one_color, one_wave };

/// A picture of that kind, the same on every machine; `seed` changes the noise. 1 or 3 channels.
image test_picture(int width, int height, int channels, picture_kind kind, std::uint64_t seed);

/// "" or where our file and libjpeg's part.
std::string file_difference(const std::vector<std::uint8_t>& ours, const std::vector<std::uint8_t>& theirs);

}  // namespace tutorial

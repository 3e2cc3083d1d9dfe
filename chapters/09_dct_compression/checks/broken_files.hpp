// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// JPEG files that are wrong on purpose, most of them so that any viewer opens them: what the judges must
// refuse.
#pragma once

#include <cstdint>
#include <vector>

#include "09_dct_compression/host/compressed_picture.hpp"
#include "common/files/image.hpp"

namespace tutorial::broken {

enum class file_mistake {
  none,                       ///< As it should be: the judges must accept it.
  table_in_zigzag_order,      ///< The file's tables are in zig-zag order, and read as if they were not.
  levels_in_zigzag_order,     ///< The same with the levels of every 8x8 block.
  blocks_transposed,          ///< Level (u, v) at the place of (v, u).
  no_level_shift,             ///< 128 is not subtracted: every DC is too large by 1024 / step.
  truncated,                  ///< Rounded toward zero instead of to the nearest level.
  colors_exchanged,           ///< Cr before Cb.
  luminance_table_for_color,  ///< One table for all: correct, but it spends bits on what no eye sees.
  steps_of_another_quality,   ///< The file says a quality that is 10 more than that of the levels.
};

struct wrong_file {
  compressed_picture claimed;  ///< What the file should hold, by the opinion of its maker.
  std::vector<std::uint8_t> bytes;
};

/// A JPEG file with that mistake. quality is 1..90.
wrong_file make_file(file_mistake made, const image& picture, int quality, chroma_sampling sampling);

}  // namespace tutorial::broken

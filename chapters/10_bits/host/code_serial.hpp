// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The last step of JPEG on the host, block after block: the reference of this chapter.
#pragma once

#include <cstdint>
#include <vector>

#include "09_dct_compression/host/compressed_picture.hpp"
#include "jpeg_file.hpp"
#include "scan_layout.hpp"

namespace tutorial {

/// How the levels are coded.
struct jpeg_coding {
  int restart_interval = 0;  ///< Units between two restart markers; 0: none.
  bool optimized = false;    ///< Codes made for this picture, not the standard's.
};

/// A level as a file holds it: at place k of block's zig-zag path. Blocks beyond the component are 0 but for
/// their DC, which no one asks for.
int level_in_scan(const compressed_picture& picture, const scan_block& block, int k);

/// How often each symbol occurs, [0] brightness, [1] the colors.
struct scan_symbol_counts {
  symbol_counts dc[2] = {}, ac[2] = {};
};
/// Counts the symbols of a picture, in the layout's order and with its markers.
scan_symbol_counts count_symbols_serial(const compressed_picture& picture, const scan_layout& layout);

/// The standard's codes, or optimized ones.
scan_codes codes_for(const compressed_picture& picture, const scan_layout& layout, bool optimized);

/// The coded levels: the bits of all blocks; in each interval filled up with ones to a whole byte; a 0 behind
/// each byte 0xFF; between two intervals a restart marker.
std::vector<std::uint8_t> code_serial(const compressed_picture& picture, const scan_layout& layout,
                                      const scan_codes& codes);

/// A whole file: header, coded levels, end of image. Byte for byte what libjpeg writes for these levels. The
/// picture must be one that jpeg_bytes() of chapter 09 takes.
std::vector<std::uint8_t> jpeg_file_serial(const compressed_picture& picture, const jpeg_coding& coding);

}  // namespace tutorial

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Our levels as a JPEG file: libjpeg does the last step, the Huffman code.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "compressed_picture.hpp"

namespace tutorial {

/// The most that libjpeg writes each way. (The format has room for 65535.)
inline constexpr int most_jpeg_pixels = 65500;

/// How libjpeg codes the levels.
struct libjpeg_coding {
  bool optimized = true;     ///< Huffman codes made for the picture; else the standard's.
  int restart_interval = 0;  ///< Units (MCU) between two restart markers, up to 65535; 0: no markers.
};

/// A baseline JFIF file with the picture's own tables and levels and, unless `coding` says otherwise, with
/// Huffman codes made for it. Throws std::invalid_argument for a picture that no baseline JPEG can hold: more
/// than most_jpeg_pixels each way; a step that is not 1..255; a level beyond -1023..1023, or -1024..1023 for
/// a DC (those of 8-bit pixels never are); components that do not fit each other; a restart interval that is
/// not 0..65535.
std::vector<std::uint8_t> jpeg_bytes(const compressed_picture& picture, const libjpeg_coding& coding = {});

/// The same as a file, whole or not at all. Throws input_error where it cannot be written and for too many
/// pixels.
void write_jpeg(const std::filesystem::path& file, const compressed_picture& picture);

}  // namespace tutorial

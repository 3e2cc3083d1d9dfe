// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// libjpeg as the judge of our files: what it reads in them, and what it writes itself. For checks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "09_dct_compression/host/compressed_picture.hpp"
#include "09_dct_compression/host/quantization.hpp"
#include "common/device/plane.hpp"
#include "common/files/image.hpp"

namespace tutorial::judge {

using bytes = std::vector<std::uint8_t>;

/// jpeg_set_quality()'s table.
quantization_table table_of_libjpeg(component_kind kind, int quality);

/// nearest_to_ours: float DCT, Huffman codes made for the picture, upsampling by repetition. its_own: integer
/// DCT, the standard's codes, upsampling between neighbors.
enum class libjpeg_ways { nearest_to_ours, its_own };

/// libjpeg's own file of the picture: the same quality and sampling.
bytes file_of_libjpeg(const image& picture, int quality, chroma_sampling sampling,
                      libjpeg_ways ways = libjpeg_ways::nearest_to_ours);

// All that read throw std::runtime_error with libjpeg's words where it refuses the file or only warns.

/// Tables and levels as they stand in the file. Throws if the file is not baseline JFIF with 8 bits.
compressed_picture levels_in(const bytes& file);
/// The planes before upsampling and colors, by libjpeg's float DCT.
std::vector<plane<std::uint8_t>> samples_in(const bytes& file);
/// The picture.
image pixels_in(const bytes& file, libjpeg_ways ways = libjpeg_ways::nearest_to_ours);

/// The judgment on a file that should hold `ours`, the picture `original` compressed: "" or what is wrong
/// with it, beginning with the first of these words that applies:
///   size      of the picture or a component, or the sampling
///   steps     the file's tables are not those of `ours`
///   levels    the file's levels are not those of `ours`
///   samples   a plane is further than 1 from what decode_serial() makes of the levels
///   pixels    further than 1 (gray) or 3 (color) from reconstruct_serial(): planes that differ by 1 make a
///             blue that differs by 1 + 1.772 at most, rounded
///   tables    not those that libjpeg uses for this quality
/// and for pictures of 256 8x8 blocks and more (in smaller ones a single tie is 0.1 dB, and a few bits are 2
/// %)
///   psnr      further than 0.1 dB from that of libjpeg's own file
///   bytes     more than 2 % more or fewer than libjpeg's own file has
std::string verdict(const bytes& file, const compressed_picture& ours, const image& original, int quality);

}  // namespace tutorial::judge

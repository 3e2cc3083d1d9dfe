// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Pictures in files: PNG, JPEG, PGM and PPM in; PNG, PGM and PPM out.
//
// Every function here throws input_error: one line that names the file, what is wrong and what to do.
#pragma once

#include <cstdint>
#include <filesystem>

#include "image.hpp"
#include "input_error.hpp"

namespace tutorial {

/// What read_image() refuses because it is too large.
struct image_limits {
  /// Width * height * channels may not be more. Known from the file's header, before memory is taken.
  std::uint64_t pixel_bytes = std::uint64_t(1) << 30;
};

/// The picture in a file; its first bytes say what kind of file it is, not its name.
///
/// PNG: gray of 1, 2, 4 or 8 bits (scaled to 0..255), palettes and RGB of 8 bits (3 channels), interlaced or
/// not. JPEG: gray and color, baseline and progressive, 8 bits; decoded by libjpeg's accurate integer
/// transform with smooth ("fancy") upsampling of the color planes. PGM and PPM: P2, P3, P5, P6 with a largest
/// value of up to 255 (if less, v becomes v * 255 / largest, rounded).
///
/// Refused, because every way of carrying on would change the picture without a word: 16 (and 12) bits per
/// channel; transparency in any form, even where nothing is transparent; animations; CMYK; damaged or
/// truncated data, where libjpeg would fill up with gray. Not looked at: color profiles, gamma, density.
///
/// A JPEG or PNG whose EXIF says how the camera was held is turned upright, as viewers show it: what is
/// written later has no EXIF.
///
/// Takes the memory of the picture and some rows; for a palette PNG a third more, for a progressive JPEG also
/// its coefficients, two bytes per sample; for one that is turned twice the picture.
image read_image(const std::filesystem::path& file, const image_limits& limits = {});

/// 8 bits, gray or RGB, no date and no name of a program: the same picture gives the same bytes (with one
/// version of zlib). All or nothing: see output_file.
void write_png(const std::filesystem::path& file, const image& picture);

/// Binary PGM (P5) or PPM (P6), as the picture has one channel or three. All or nothing: see output_file.
void write_pnm(const std::filesystem::path& file, const image& picture);

}  // namespace tutorial

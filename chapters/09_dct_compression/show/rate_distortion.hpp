// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// How many bits a picture costs at each quality, and what they buy.
#pragma once

#include <string>
#include <vector>

#include "common/files/image.hpp"
#include "common/program/chapter.hpp"

namespace tutorial {

struct rate_point {
  int quality = 0;
  int sampling = 444;  ///< Or 420; of a gray picture 444.
  std::size_t bytes = 0;
  double bits_per_pixel = 0;  ///< Of the whole file, its header included.
  double psnr = 0, ssim = 0, zeros_per_block = 0;
};

/// Compresses with the serial codec, at every quality and for both samplings if the picture has colors: the
/// same figures on every device.
std::vector<rate_point> rate_distortion(const image& picture, const std::vector<int>& qualities);

/// The table, rows for --csv, and the charts for --picture: PSNR, and "ssim", against bits per pixel.
void show_rate_distortion(chapter_run& run, const image& picture, const std::string& name);

/// A colored picture without a file: shades, edges, fine lines and noise. The same on every machine.
image sample_picture(int width, int height);

}  // namespace tutorial

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// How much of a picture is lost, in two measures, and how much of its coefficients is left.
#pragma once

#include <cstdint>

#include "common/device/plane.hpp"
#include "common/files/image.hpp"
#include "compressed_picture.hpp"

namespace tutorial {

/// Peak signal-to-noise ratio in dB: 10 log10(255^2 / mean of (a - b)^2), the mean over all pixels and
/// channels; infinity for equal pictures. Throws std::invalid_argument if sizes or channels differ.
double psnr(const image& a, const image& b);

/// Structural similarity, 1 for equal pictures (Z. Wang, A. C. Bovik, H. R. Sheikh, E. P. Simoncelli, Image
/// quality assessment: from error visibility to structural similarity, 2004): the mean over all places of
///     (2 ma mb + C1) (2 sab + C2) / ((ma^2 + mb^2 + C1) (sa^2 + sb^2 + C2))
///     C1 = (0.01 * 255)^2,   C2 = (0.03 * 255)^2
/// with means m, variances s^2 and covariance sab under a window of 11 x 11, Gaussian with sigma 1.5 and of
/// sum 1. Places are those where the window lies within the picture. A picture less than 11 wide or high is
/// first made so, its last column and row repeated. Of color pictures the Y of JFIF is compared, rounded to
/// whole numbers. Throws std::invalid_argument if sizes or channels differ.
double ssim(const image& a, const image& b);
double ssim(const plane<std::uint8_t>& a, const plane<std::uint8_t>& b);

/// How many of the 64 levels of an 8x8 block are zero, in the mean over all blocks of all components.
double zeros_per_block(const compressed_picture& picture);

}  // namespace tutorial

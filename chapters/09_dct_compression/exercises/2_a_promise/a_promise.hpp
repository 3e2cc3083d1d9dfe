// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "09_dct_compression/host/quantization.hpp"
#include "common/device/device_memory.hpp"
#include "common/device/plane.hpp"

namespace tutorial {

/// What quantization throws away in each 8x8 block: errors[b] = sum of (coefficient - level * step)^2 over
/// its 64 coefficients, where level = coefficient / step, rounded. 8x8 blocks are numbered row by row;
/// `coefficients` consists of whole ones, at least one and at most 65,535 below each other, fewer than 2^31
/// values, pitch included. A lane for each column.
void quantization_errors(device_plane_span<const float> coefficients, const quantization_table& steps,
                         device_span<float> errors);

/// The PSNR in dB that pixels will have which come back from coefficients with these errors: 10 log10(255^2 /
/// mean squared error of a pixel). The DCT is orthonormal.
double promised_psnr(const std::vector<float>& errors);

/// The lowest quality whose table for luminance promises at least `psnr` dB; 100 if only that does, or none.
int quality_for(device_plane_span<const float> coefficients, double psnr);

}  // namespace tutorial

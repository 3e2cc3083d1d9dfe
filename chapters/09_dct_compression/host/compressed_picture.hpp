// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// A picture as levels: what stands between its pixels and a JPEG file.
#pragma once

#include <cstdint>
#include <vector>

#include "common/device/plane.hpp"
#include "quantization.hpp"

namespace tutorial {

/// How many pixels share one sample of the two color planes.
enum class chroma_sampling { s444, s420 };

/// How many samples of color 4:2:0 has for so many pixels: half as many, rounded up.
constexpr int half_as_many(int pixels) { return pixels / 2 + pixels % 2; }

/// One plane of samples, transformed and quantized: level = round(coefficient / step).
struct compressed_component {
  int width = 0, height = 0;  ///< Samples; 4:2:0 halves those of color, rounded up.
  quantization_table steps = {};
  /// padded(width) x padded(height); (v, u) of a block at row v, column u of its place.
  plane<std::int16_t> levels;
};

/// Gray: one component. Color: Y, Cb, Cr.
struct compressed_picture {
  int width = 0, height = 0;
  chroma_sampling sampling = chroma_sampling::s444;
  std::vector<compressed_component> components;
};

}  // namespace tutorial

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// A picture of 13 x 11 pixels, whose last blocks reach beyond its edges, read as a texture and from global
// memory. Run with a trace, it becomes pictures of this folder (docs/write/redraw).
#include "08_dct8x8/kernels/dct8x8_per_coefficient.hpp"
#include "08_dct8x8/kernels/dct8x8_textured.hpp"

int main() {
  using namespace tutorial;
  const device_plane<float> pixels(plane<float>(13, 11));
  device_plane<float> coefficients(16, 16);
  dct8x8_textured(pixels.span(), coefficients.span());
  dct8x8_per_coefficient(pixels.span(), coefficients.span());
  check(cudaDeviceSynchronize());
}

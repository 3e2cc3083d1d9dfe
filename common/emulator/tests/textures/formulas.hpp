// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What a fetch from a texture must return: the formulas of the CUDA C++ Programming Guide, appendix "Texture
// Fetching", written down one after the other, in double precision.
#pragma once

#include <cuda_runtime.h>

#include <cmath>
#include <limits>
#include <vector>

namespace formulas {

/// Row by row; each element has `components` numbers.
template <class C>
struct picture {
  int width, height, components;
  std::vector<C> numbers;

  double at(int x, int y, int c) const {
    return static_cast<double>(numbers[static_cast<std::size_t>((y * width + x) * components + c)]);
  }
};

struct reading {
  cudaTextureAddressMode address[3];
  bool linear, normalized_float, normalized_coordinates;
  float border[4];
};

/// The range of an integer type becomes [0, 1] or, with a sign, [-1, 1]; its least number lies below.
template <class C>
double scaled(double number, bool normalized_float) {
  if (!normalized_float || !std::numeric_limits<C>::is_integer) return number;
  return number / static_cast<double>(std::numeric_limits<C>::max());
}
template <class C>
double as_returned(double number, bool normalized_float) {
  return normalized_float && std::numeric_limits<C>::is_integer ? std::fmax(-1.0, number) : number;
}

/// Not in the guide, and measured on an H200: the border of such a texture is what an element can be.
template <class C>
double border(double color, bool normalized_float) {
  if (!normalized_float || !std::numeric_limits<C>::is_integer) return color;
  const double most = static_cast<double>(std::numeric_limits<C>::max());
  const double inside = std::fmin(std::fmax(color, std::numeric_limits<C>::is_signed ? -1 : 0), 1);
  return std::floor(inside * most) / most;
}

/// A normalized coordinate x becomes frac(x) by wrapping; mirrored, 1 - frac(x) where floor(x) is odd.
inline double remapped(double x, cudaTextureAddressMode mode) {
  const double frac = x - std::floor(x);
  if (mode == cudaAddressModeWrap) return frac;
  if (mode == cudaAddressModeMirror) return std::fmod(std::fabs(std::floor(x)), 2) == 1 ? 1 - frac : frac;
  return x;
}

/// Which texel stands for T[i], i a whole number anywhere; false: the border. By the center of T[i], since
/// the remapping is defined for coordinates.
inline bool find_texel(double i, int size, cudaTextureAddressMode mode, int& found) {
  if (mode == cudaAddressModeBorder && (i < 0 || i >= size)) return false;
  const double center = remapped((i + 0.5) / size, mode) * size;
  found = static_cast<int>(std::fmin(std::fmax(std::round(center - 0.5), 0), size - 1));
  return true;
}

template <class C>
double texel(const picture<C>& p, const reading& how, double i, double j, int c) {
  int x = 0, y = 0;
  if (!find_texel(i, p.width, how.address[0], x) || !find_texel(j, p.height, how.address[1], y))
    return border<C>(static_cast<double>(how.border[c]), how.normalized_float);
  return scaled<C>(p.at(x, y, c), how.normalized_float);
}

/// frac(x) in fixed point with 8 bits behind the point.
inline double weight(double x) { return std::round((x - std::floor(x)) * 256) / 256; }

/// tex2D(x, y), component c, before it is returned. A picture of one row, read at y = 0, gives tex1D(x).
template <class C>
double sum(const picture<C>& p, reading how, double x, double y, int c) {
  if (how.normalized_coordinates) {
    if (!how.linear) {
      x = remapped(x, how.address[0]);
      y = remapped(y, how.address[1]);
    }
    x *= p.width;
    y *= p.height;
  } else {
    for (cudaTextureAddressMode& mode : how.address)
      if (mode != cudaAddressModeBorder) mode = cudaAddressModeClamp;
  }
  if (!how.linear) return texel(p, how, std::floor(x), std::floor(y), c);
  const double xb = x - 0.5, yb = y - 0.5, i = std::floor(xb), j = std::floor(yb);
  const double a = weight(xb), b = weight(yb);
  return (1 - a) * (1 - b) * texel(p, how, i, j, c) + a * (1 - b) * texel(p, how, i + 1, j, c) +
         (1 - a) * b * texel(p, how, i, j + 1, c) + a * b * texel(p, how, i + 1, j + 1, c);
}

template <class C>
double fetch(const picture<C>& p, const reading& how, double x, double y, int c) {
  return as_returned<C>(sum(p, how, x, y, c), how.normalized_float);
}

}  // namespace formulas

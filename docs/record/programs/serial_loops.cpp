// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "serial_loops.hpp"

#include <cmath>
#include <complex>
#include <vector>

namespace tutorial {
namespace {

void filter_same(const double* x, int samples, const double* h, int taps, double* y) {
  const int radius = taps / 2;
  for (int n = 0; n < samples; ++n) {
    double sum = 0;
    for (int k = 0; k < taps; ++k) {
      const int m = n - k + radius;
      if (m >= 0 && m < samples) sum += h[k] * x[m];
    }
    y[n] = sum;
  }
}

// T is unsigned or float.
template <class T>
void convolve_full(const T* a, const T* b, int size, T* y) {
  for (int n = 0; n < 2 * size - 1; ++n) {
    T sum = 0;
    for (int k = 0; k <= n; ++k)
      if (k < size && n - k < size) sum += a[k] * b[n - k];
    y[n] = sum;
  }
}

using number = std::complex<float>;

/// In place; values.size() is a power of two. sign is -1, or +1 for the way back, which is not scaled.
void transform(std::vector<number>& values, float sign) {
  const std::size_t length = values.size();
  for (std::size_t i = 1, j = 0; i < length; ++i) {  // j is i with its bits in reverse order
    std::size_t bit = length / 2;
    for (; j & bit; bit /= 2) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(values[i], values[j]);
  }
  for (std::size_t half = 1; half < length; half *= 2)
    for (std::size_t k = 0; k < half; ++k) {
      const double angle = sign * 3.14159265358979323846 * double(k) / double(half);
      const number root(float(std::cos(angle)), float(std::sin(angle)));
      for (std::size_t i = k; i < length; i += 2 * half) {
        const number odd(root.real() * values[i + half].real() - root.imag() * values[i + half].imag(),
                         root.real() * values[i + half].imag() + root.imag() * values[i + half].real());
        values[i + half] = values[i] - odd;
        values[i] += odd;
      }
    }
}

void convolve_by_transforms(const float* a, const float* b, int size, float* y) {
  std::size_t length = 1;
  while (length < 2 * std::size_t(size) - 1) length *= 2;
  std::vector<number> x(a, a + size), h(b, b + size);
  x.resize(length), h.resize(length);
  transform(x, -1), transform(h, -1);
  for (std::size_t k = 0; k < length; ++k)
    x[k] = number(x[k].real() * h[k].real() - x[k].imag() * h[k].imag(),
                  x[k].real() * h[k].imag() + x[k].imag() * h[k].real());
  transform(x, 1);
  for (int n = 0; n < 2 * size - 1; ++n) y[n] = x[std::size_t(n)].real() / float(length);
}

void transform_blocks(const float* pixels, int width, int height, const float* a, float* coefficients) {
  for (int row = 0; row < height; row += 8)
    for (int col = 0; col < width; col += 8) {
      float half[8][8];
      for (int v = 0; v < 8; ++v)
        for (int x = 0; x < 8; ++x) {
          float sum = 0;
          for (int k = 0; k < 8; ++k) sum += a[8 * v + k] * pixels[(row + k) * width + col + x];
          half[v][x] = sum;
        }
      for (int v = 0; v < 8; ++v)
        for (int u = 0; u < 8; ++u) {
          float sum = 0;
          for (int k = 0; k < 8; ++k) sum += half[v][k] * a[8 * u + k];
          coefficients[(row + v) * width + col + u] = sum;
        }
    }
}

}  // namespace

const serial_loops TUTORIAL_LOOPS{filter_same, convolve_full<unsigned>, convolve_full<float>,
                                  convolve_by_transforms, transform_blocks};

}  // namespace tutorial

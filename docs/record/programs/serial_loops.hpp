// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The loops that a GPU is often compared with: one core, plain pointers, in the order of the formula. They
// are compiled twice, without optimization and with it, because a reported speed-up depends on which of the
// two was the baseline.
#pragma once

namespace tutorial {

/// One build of them. Every function is right for the sizes that docs/then_and_now.md names.
struct serial_loops {
  /// y[n] = sum over k of h[k] x[n - k + (taps - 1) / 2], zero outside x: 'same', taps odd.
  void (*filter_same)(const double* x, int samples, const double* h, int taps, double* y);
  /// y[n] = sum over k of a[k] b[n - k], n in [0, 2 size - 1), modulo 2^32.
  void (*convolve_whole_numbers)(const unsigned* a, const unsigned* b, int size, unsigned* y);
  /// The same in float.
  void (*convolve)(const float* a, const float* b, int size, float* y);
  /// The same by three transforms of 2^k >= 2 size - 1 samples, Cooley and Tukey's, in float.
  void (*convolve_by_transforms)(const float* a, const float* b, int size, float* y);
  /// A X A^T for every 8x8 block X of a picture whose sides are multiples of 8; a is A, row by row.
  void (*transform_blocks)(const float* pixels, int width, int height, const float* a, float* coefficients);
};

extern const serial_loops loops_without_optimization, loops_with_optimization;

}  // namespace tutorial

// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// One transform in parts on several devices, as cuFFT does it: every device needs something of every other
// one.
#pragma once

#include <complex>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace tutorial {

/// A complex transform of one dimension, and its inverse. All functions wait.
class spread_transform {
 public:
  /// `length` is a power of two, 64 or more; 2, 4, 8 or 16 parts. A device may be named several times. Throws
  /// cufft_error where cuFFT refuses, cuda_error where memory is short.
  spread_transform(std::size_t length, std::span<const int> devices);
  ~spread_transform();

  /// Each device its part of `length` numbers.
  void bring(std::span<const std::complex<float>> x);
  /// To the spectrum, not scaled. It lies in an order of cuFFT's own, which the inverse does not take.
  void forward();
  /// Puts the spectrum into natural order, in memory of its own.
  void order_spectrum();
  /// From the spectrum in natural order to `length` times the signal, in its place.
  void inverse();
  /// What order_spectrum() or inverse() has left.
  std::vector<std::complex<float>> take() const;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace tutorial

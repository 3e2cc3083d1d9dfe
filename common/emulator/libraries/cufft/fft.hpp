// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Discrete Fourier transforms of any length on contiguous host memory, over kissfft. Nothing is scaled:
// forward and back again is n times the input.
#pragma once

#include <complex>
#include <cstddef>
#include <memory>
#include <vector>

namespace cuda_emulator {

/// One length, one direction. T: float or double.
template <class T>
class complex_fft {
 public:
  virtual ~complex_fft() = default;
  /// `in` and `out` do not overlap. Not for two threads at the same time.
  virtual void run(const std::complex<T>* in, std::complex<T>* out) const = 0;
  /// From the cache, if it was made before.
  static std::shared_ptr<const complex_fft> get(std::size_t n, bool inverse);
};

/// n real numbers to n / 2 + 1 complex ones and back. Neither may be called by two threads at the same time.
template <class T>
class real_fft {
 public:
  explicit real_fft(std::size_t n);
  void forward(const T* in, std::complex<T>* out) const;
  /// The imaginary part of the first element counts for nothing; for even n, that of the last one neither.
  void inverse(const std::complex<T>* in, T* out) const;
  static std::shared_ptr<const real_fft> get(std::size_t n);

 private:
  std::size_t n_;
  std::shared_ptr<const complex_fft<T>> forward_, inverse_;  // of n / 2 where n is even, of n where it is odd
  std::vector<std::complex<T>> twiddles_;                    // exp(-2 pi i k / n) for k = 0 ... n / 2, n even
  mutable std::vector<std::complex<T>> spectrum_, signal_;
};

/// Does this length go through a longer transform, because of a prime factor that is too large?
bool needs_chirp(std::size_t n);

}  // namespace cuda_emulator

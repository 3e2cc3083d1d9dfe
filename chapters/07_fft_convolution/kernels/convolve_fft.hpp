// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Convolution by one transform of the whole signal.
//
// y[n] = sum over k of h[k] x[n - k], for the outputs that `mode` wants; samples outside x count as zero. x
// holds N samples, h holds K taps, y has output_length(N, K, mode) elements; none of them overlap, and each
// may begin anywhere. T is float or double: a transform rounds, so int32, whose sums are exact, is not among
// them. Every output is within fft_rounding() of the exact one. A NaN or an infinity in x or h reaches every
// output, not only those that meet it.
// All launch and do not wait. They throw std::invalid_argument for lengths that do not fit,
// std::length_error beyond 2^30 samples, cuda_error and cufft_error where memory is short or a launch is
// refused.
#pragma once

#include <cstddef>

#include "07_fft_convolution/host/fft_length.hpp"
#include "common/device/device_memory.hpp"
#include "common/verify/convolution.hpp"
#include "fft_plan.hpp"

namespace tutorial {

/// One filter for many signals: plans, work areas and the filter's spectrum are made once. Move-only. The
/// calls of one object must follow each other: they share its memory.
template <class T>
class fft_convolver {
 public:
  /// For `signals` signals of `samples` samples each, convolved in one call.
  fft_convolver(device_span<const T> h, std::size_t samples, convolution_mode mode, std::size_t signals = 1,
                fft_length_rule rule = fft_length_rule::good);

  /// x holds the signals one after the other, y their outputs. Launches in the stream and does not wait.
  void operator()(device_span<const T> x, device_span<T> y, cudaStream_t stream = nullptr);

  /// L: N + K - 1 or more, by the rule.
  std::size_t transform_length() const { return std::size_t(length_); }

 private:
  int samples_, taps_, outputs_, first_, signals_;
  int length_;  ///< L.
  int bins_;    ///< The L / 2 + 1 complex numbers that say all about the spectrum of L real ones.
  fft_plan<T> forward_, back_;
  device_buffer<T> padded_;
  device_buffer<fft_complex<T>> spectra_, filter_;
  device_buffer<unsigned char> work_area_;
};

/// One call: makes an fft_convolver, uses it, and waits before it is gone.
template <class T>
void convolve_fft(device_span<const T> x, device_span<const T> h, device_span<T> y, convolution_mode mode);

/// As it is often found: transforms of 2^(floor(log2(N + K - 1)) + 1) samples, three of them, and all plans
/// and arrays made in the call and gone after it.
template <class T>
void convolve_fft_from_scratch(device_span<const T> x, device_span<const T> h, device_span<T> y,
                               convolution_mode mode);

}  // namespace tutorial
